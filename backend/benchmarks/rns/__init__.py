"""RNS of stored graphs and questions: artifacts, measures, partitions and explanations."""
