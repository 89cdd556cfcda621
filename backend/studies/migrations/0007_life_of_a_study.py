from django.db import migrations, models

STATES = ("draft", "open", "paused", "closed", "frozen")


class Migration(migrations.Migration):
    """A study is a draft before it is open, may be paused, and may be frozen at its end."""

    dependencies = [("studies", "0006_comparison_shown")]

    operations = [
        migrations.AlterField(
            "study",
            "status",
            models.CharField(
                choices=[(state, state.capitalize()) for state in STATES],
                default="open",
                max_length=8,
            ),
        )
    ]
