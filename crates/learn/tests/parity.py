"""What scikit-learn makes of Glass with the methods that `methods.rs` checks.

    python3 tests/parity.py ../../data/learn/glass.csv > tests/data/methods.json

Columns are standardised first. Solvers run until they cannot improve, so that what is compared
is the optimum and not where somebody stopped. Probabilities are given for every 20th row.
"""

import json
import sys
import warnings

import numpy as np
import scipy
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

warnings.simplefilter("ignore")
table = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
whole, classes = StandardScaler().fit_transform(table[:, 1:10]), table[:, 10].astype(int)
linear = LinearSVC(tol=1e-12, max_iter=10**7, dual=False)
gaussian = SVC(gamma="auto", tol=1e-9)
methods = {
    "logistic": LogisticRegression(tol=1e-12, max_iter=10**6),
    "logistic:c=0.01": LogisticRegression(C=0.01, tol=1e-12, max_iter=10**6),
    "lda": LinearDiscriminantAnalysis(),
    "qda:shrink=0.1": QuadraticDiscriminantAnalysis(reg_param=0.1),
    "naive-bayes:calibrate=sigmoid": CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=5),
    "naive-bayes:calibrate=isotonic": CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=5),
    "knn:k=3,calibrate=isotonic": CalibratedClassifierCV(
        KNeighborsClassifier(3), method="isotonic", cv=5
    ),
    "lda:calibrate=sigmoid": CalibratedClassifierCV(
        LinearDiscriminantAnalysis(), method="sigmoid", cv=5
    ),
    "svc-linear:calibrate=sigmoid": CalibratedClassifierCV(linear, method="sigmoid", cv=5),
    "svc-rbf:gamma=auto,calibrate=sigmoid": CalibratedClassifierCV(gaussian, method="sigmoid", cv=5),
}
found = {}
for tag, keep in (("all", classes > 0), ("two", classes <= 2)):
    x, y = whole[keep], classes[keep]
    for text, method in methods.items():
        shares = method.fit(x, y).predict_proba(x)[::20]
        found[f"{tag}|{text}"] = [[float(f"{p:.12g}") for p in row] for row in shares]
versions = {"sklearn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
print(json.dumps({"versions": versions, "probabilities": found}, indent=0))
