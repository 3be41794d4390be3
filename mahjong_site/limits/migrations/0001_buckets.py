"""The table of buckets; unlogged, since losing it in a crash only gives everybody a whole allowance."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="Bucket",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("full_at", models.DateTimeField()),
            ],
            options={"indexes": [models.Index(fields=["full_at"], name="limits_bucket_full")]},
        ),
        migrations.RunSQL("ALTER TABLE limits_bucket SET UNLOGGED", "ALTER TABLE limits_bucket SET LOGGED"),
    ]
