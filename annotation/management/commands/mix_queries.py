from annotation.kinds.registry import load_kind_command

Command = load_kind_command("mix_queries")
