"""RNS of stored graphs and questions: artefacts beside a snapshot, measures, partitions, paths."""
