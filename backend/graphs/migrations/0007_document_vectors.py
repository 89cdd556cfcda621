"""A document's text is in the snapshot; these tables hold its vector and the embedder."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("graphs", "0006_imports_become_jobs"),
    ]

    operations = [
        migrations.RenameModel("Document", "DocumentVector"),
        migrations.RenameModel("Meaning", "DocumentEmbedder"),
        migrations.RenameField("documentembedder", "learnt", "parameters"),
        migrations.RenameIndex(
            "documentvector",
            new_name="graphs_document_vector",
            old_name="graphs_document_meaning",
        ),
        migrations.RemoveConstraint("documentvector", "document_once_per_entity"),
        migrations.AddConstraint(
            "documentvector",
            models.UniqueConstraint(
                fields=("version", "entity"), name="document_vector_once_per_entity"
            ),
        ),
    ]
