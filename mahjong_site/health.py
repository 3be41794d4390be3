"""Two addresses for whoever watches the server: ``/healthz`` (it runs) and ``/readyz`` (it can work)."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the process answers; asks nothing else."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and knows every migration, else 503 with what is missing."""
    try:
        executor = MigrationExecutor(connection)
        behind = bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "missing": "database"}, status=503)
    if behind:
        return JsonResponse({"status": "unavailable", "missing": "migrations"}, status=503)
    return JsonResponse({"status": "ok"})
