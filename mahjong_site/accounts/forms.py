"""Forms of the account page."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from mahjong_site.accounts.models import ApiToken
from mahjong_site.clubs.models import NAME_LENGTH

DAYS = ((30, _("30 days")), (90, _("90 days")), (365, _("1 year")))


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    scope = forms.ChoiceField(
        label=_("May"), choices=((ApiToken.Scope.READ, _("read")), (ApiToken.Scope.WRITE, _("read and write")))
    )
    days = forms.TypedChoiceField(label=_("Works for"), choices=DAYS, coerce=int, initial=90)
