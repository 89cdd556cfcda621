"""The papers that methods of figures name as '(Krippendorff, 2011)', in full."""

import re
from collections.abc import Iterable, Mapping

REFERENCES: Mapping[str, str] = {
    "Antoch and Huskova, 2001": "Antoch J, Hušková M (2001). Permutation tests in change point "
    "analysis. Statistics & Probability Letters 53(1), 37-46.",
    "Arvesen, 1969": "Arvesen JN (1969). Jackknifing U-statistics. Annals of Mathematical "
    "Statistics 40(6), 2076-2100.",
    "Cameron and Miller, 2015": "Cameron AC, Miller DL (2015). A practitioner's guide to "
    "cluster-robust inference. Journal of Human Resources 50(2), 317-372.",
    "Cameron, Gelbach and Miller, 2011": "Cameron AC, Gelbach JB, Miller DL (2011). Robust "
    "inference with multiway clustering. Journal of Business & Economic Statistics 29(2), 238-249.",
    "Cohen, 1960": "Cohen J (1960). A coefficient of agreement for nominal scales. Educational "
    "and Psychological Measurement 20(1), 37-46.",
    "Cohen, 1968": "Cohen J (1968). Weighted kappa: nominal scale agreement with provision for "
    "scaled disagreement or partial credit. Psychological Bulletin 70(4), 213-220.",
    "Conger, 1980": "Conger AJ (1980). Integration and generalization of kappas for multiple "
    "raters. Psychological Bulletin 88(2), 322-328.",
    "Conover, 1999": "Conover WJ (1999). Practical Nonparametric Statistics, 3rd edition. Wiley.",
    "Davidson, 1970": "Davidson RR (1970). On extending the Bradley-Terry model to accommodate "
    "ties in paired comparison experiments. Journal of the American Statistical Association "
    "65(329), 317-328.",
    "Dawid and Skene, 1979": "Dawid AP, Skene AM (1979). Maximum likelihood estimation of "
    "observer error-rates using the EM algorithm. Applied Statistics 28(1), 20-28.",
    "Efron and Tibshirani, 1993": "Efron B, Tibshirani RJ (1993). An Introduction to the "
    "Bootstrap. Chapman & Hall.",
    "Firth et al., 2019": "Firth D, Kosmidis I, Turner HL (2019). Davidson-Luce model for "
    "multi-item choice with ties. arXiv:1909.07123.",
    "Fleiss, 1971": "Fleiss JL (1971). Measuring nominal scale agreement among many raters. "
    "Psychological Bulletin 76(5), 378-382.",
    "Freedman and Lane, 1983": "Freedman D, Lane D (1983). A nonstochastic interpretation of "
    "reported significance levels. Journal of Business & Economic Statistics 1(4), 292-298.",
    "Gwet, 2008": "Gwet KL (2008). Computing inter-rater reliability and its variance in the "
    "presence of high agreement. British Journal of Mathematical and Statistical Psychology "
    "61(1), 29-48.",
    "Holm, 1979": "Holm S (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6(2), 65-70.",
    "Hájek, 1971": "Hájek J (1971). Comment on 'An essay on the logical foundations of survey "
    "sampling'. In: Foundations of Statistical Inference, 236. Holt, Rinehart and Winston.",
    "Kemeny, 1959": "Kemeny JG (1959). Mathematics without numbers. Daedalus 88(4), 577-591.",
    "Kendall and Gibbons, 1990": "Kendall M, Gibbons JD (1990). Rank Correlation Methods, "
    "5th edition. Edward Arnold.",
    "Krippendorff, 2011": "Krippendorff K (2011). Computing Krippendorff's alpha-reliability. "
    "University of Pennsylvania.",
    "Lindley, 1956": "Lindley DV (1956). On a measure of the information provided by an "
    "experiment. Annals of Mathematical Statistics 27(4), 986-1005.",
    "Lord and Novick, 1968": "Lord FM, Novick MR (1968). Statistical Theories of Mental Test "
    "Scores. Addison-Wesley.",
    "Mogstad et al., 2024": "Mogstad M, Romano JP, Shaikh AM, Wilhelm D (2024). Inference for "
    "ranks with applications to mobility across neighbourhoods and academic achievement "
    "across countries. Review of Economic Studies 91(1), 476-518.",
    "Newcombe, 1998": "Newcombe RG (1998). Interval estimation for the difference between "
    "independent proportions: comparison of eleven methods. Statistics in Medicine 17(8), "
    "873-890.",
    "Owen, 2007": "Owen AB (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), "
    "386-411.",
    "Page, 1954": "Page ES (1954). Continuous inspection schemes. Biometrika 41(1/2), 100-115.",
    "Ponocny, 2001": "Ponocny I (2001). Nonparametric goodness-of-fit tests for the Rasch model. "
    "Psychometrika 66(3), 437-460.",
    "Scott, 1955": "Scott WA (1955). Reliability of content analysis: the case of nominal scale "
    "coding. Public Opinion Quarterly 19(3), 321-325.",
    "Waudby-Smith et al., 2024": "Waudby-Smith I, Arbour D, Sinha R, Kennedy EH, Ramdas A (2024). "
    "Time-uniform central limit theory and asymptotic confidence sequences. Annals of Statistics "
    "52(6), 2613-2640.",
    "Wilcoxon, 1945": "Wilcoxon F (1945). Individual comparisons by ranking methods. Biometrics "
    "Bulletin 1(6), 80-83.",
    "Williams, 1982": "Williams DA (1982). Extra-binomial variation in logistic linear models. "
    "Applied Statistics 31(2), 144-148.",
    "Wilson, 1927": "Wilson EB (1927). Probable inference, the law of succession, and statistical "
    "inference. Journal of the American Statistical Association 22(158), 209-212.",
    "Wu et al., 2024": "Wu S, Zhao S, Yasunaga M, et al. (2024). STaRK: benchmarking LLM retrieval "
    "on textual and relational knowledge bases. Advances in Neural Information Processing "
    "Systems 37.",
    "Xiong et al., 2025": "Xiong G, Xie E, Williams C, et al. (2025). Toward reliable biomedical "
    "hypothesis generation: evaluating truthfulness and hallucination in large language models. "
    "arXiv:2505.14599.",
    "Zheng et al., 2023": "Zheng L, Chiang WL, Sheng Y, et al. (2023). Judging LLM-as-a-judge with "
    "MT-Bench and Chatbot Arena. Advances in Neural Information Processing Systems 36.",
}
CITATION = re.compile(r"([A-ZÀ-Ž][^();]*?, \d{4})")


def list_references(methods: Iterable[str]) -> list[str]:
    """Every paper that these methods name, once; one that is not known here by its short name."""
    named = {one for method in methods for one in CITATION.findall(method)}
    return sorted(REFERENCES.get(one, one) for one in named)
