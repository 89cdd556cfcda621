"""Settings: how much one request, one person, one upload and one job may take."""

from backend.config import env

# How many trusted proxies are in front of this server; with none, X-Forwarded-For is ignored, and
# limits per address are those of the proxy.
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", 0)

# Jobs of hours leave a slot of their worker to the others, such as imports and checks of endpoints.
JOB_GROUP_LIMITS = {
    "rns": env.number("RNS_JOBS_AT_ONCE", 1),
    "rescoring": env.number("RESCORINGS_AT_ONCE", 1),
    "models": env.number("MODEL_JOBS_AT_ONCE", 3),
}
LARGEST_PREDICTION_UPLOAD = env.number("LARGEST_PREDICTION_UPLOAD", 1_000_000_000)
LARGEST_GRAPH_UPLOAD = env.number("LARGEST_GRAPH_UPLOAD", 500_000_000)

# What one request may cost: above these, a job, a command or another format is needed.
PATH_SEARCH_SECONDS = 5.0
RNS_SECONDS = 180.0
RNS_COMPUTED_IN_REQUEST = 500_000  # entities and edges of a graph without artifacts
NAMES_INDEXED_IN_REQUEST = 50_000  # entities: about two seconds
CYPHER_BUILT_IN_REQUEST = 100_000  # edges
EXPORT_IN_MEMORY_ROWS = 50_000  # entities and edges, of formats that cannot be streamed
# What one upload or person may cost.
UPLOAD_READ_SECONDS = 30 * 60  # imports by command have no limit
RNS_SETS_PER_DAY = 20_000  # of one person
# Calls of tools on a release's graph by programs: of one session, and of one person.
TOKEN_REQUESTS_PER_MINUTE = env.number("TOKEN_REQUESTS_PER_MINUTE", 1_200)  # of an API token
TOOL_CALLS_PER_SESSION = env.number("TOOL_CALLS_PER_SESSION", 10_000)
TOOL_CALLS_PER_DAY = env.number("TOOL_CALLS_PER_DAY", 20_000)
# Dollars of one person's runs of models within a day.
RUN_DOLLARS_PER_PERSON = env.number("RUN_DOLLARS_PER_PERSON", 200)
GROUNDINGS_PER_DAY = env.number("GROUNDINGS_PER_DAY", 500)  # rationales of a person
TOOL_SESSIONS_PER_DAY = env.number("TOOL_SESSIONS_PER_DAY", 200)

# Of a Cypher query.
CYPHER_LARGEST_GRAPH = env.number("CYPHER_LARGEST_GRAPH", 5_000_000)  # edges, and entities
CYPHER_SECONDS = env.number("CYPHER_SECONDS", 10)
CYPHER_FILE_SECONDS = env.number("CYPHER_FILE_SECONDS", 900)  # all queries of one submission
CYPHER_MEMORY_MIB = env.number("CYPHER_MEMORY_MIB", 1024)
CYPHER_AT_ONCE = env.number("CYPHER_AT_ONCE", 4)  # in each process of the server
CYPHER_TRIES_PER_DAY = env.number("CYPHER_TRIES_PER_DAY", 2_000)  # of a person
