"""English words that are common in claims and are no names of entities in lower case.

Function words, and verbs and nouns in which claims are put or that name no entity alone. Written
from general knowledge, not from the annotated sentences.
"""

FUNCTION_TEXT = """
a about above after again against all almost alone along also although always am among an and
another any anyone are around as at away back be because become becomes been before began being
below between both but by came can cannot could did do does doing done down during each either
else even ever every few first for from further get gets give given gives go goes had has have
having he her here hers him his how however i if in instead into is it its itself just last
later least less let like likely made make makes many may me met might mine more most much must
my near neither never new next no none nor not nothing now of off often old on once one only
onto or other others our ours out over own part per perhaps put rather same seen set several
shall she should since so some soon still such than that the their theirs them then there
therefore these they this those though through thus to together too toward two under until up
upon us used uses using very via was we well were what when where whether which while who whole
whom whose why will with within without would yes yet you your
"""
CLAIM_TEXT = """
accumulate accumulates act acting acts acute adult adults affect affected affects aged agent
agents agonist agonists allow allows antagonist antagonists approved associated association
avoid avoided based became benefit benefits bind binding binds block blocked blocking blocks
body called carried carrier carriers carries carry case cases cause caused causes causing cell
cells change changes children chronic claim clinical combined common commonly compared condition
conditions contain contains contribute contributes control controls converts cure cures daily
day days decrease decreased decreases deliver disease diseases disorder disorders dose doses
drug drugs early effect effective effects elevated encoded encodes enhance enhances enzyme event
events evidence excess expressed expression factor failed fall falls form forms found function
functions gain gene genes group groups grow growth help helps high higher human humans impair
impaired improve improved improves increase increased increases increasing independent
individuals induce induced induces infants infection infections inherited inhibit inhibiting
inhibition inhibitor inhibitors inhibits injected instance interact interacts involved involves
keep keeps kept known lead leading leads level levels licensed light linked loss low lower
lowered lowers main mechanism medicine men mild molecule molecules month months mutated mutation
mutations natural normal number occur occurs older oral organ organs origin pathway pathways
patient patients people person play plays population prescribed prevent prevents produce
produced produces product production promote promotes protect protects protein proteins rare
rate rates reach receptor receptors reduce reduced reduces reducing relapse release released
releases relieve relieves require requires response rest result resulting results rise rises
risk role sat severe severity shown shows sign signs single site slow slowed slows step stop
stopped stops studies study substance substances suffer suffered support supported supports
swallow symptom symptoms syndrome syndromes take taken takes taking target targeted targets test
tested therapies therapy tissue tissues took treat treated treating treatment treatments treats
trial trials turned type types usual variant variants week weeks woman women work works worsen
worsens year years young
"""
FUNCTION_WORDS = frozenset(FUNCTION_TEXT.split())
ORDINARY_WORDS = FUNCTION_WORDS | frozenset(CLAIM_TEXT.split())
