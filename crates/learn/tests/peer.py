import numpy as np, json, sys
from sklearn.ensemble import *
from sklearn.impute import KNNImputer
from sklearn.pipeline import Pipeline
from sklearn.model_selection import train_test_split
d=np.loadtxt('/work/shared/data/glass/glass.data',delimiter=',')
Xf=d[:,1:10]; y=d[:,10].astype(int)
res={}
for s in range(20):
    rng=np.random.RandomState(s)
    m=rng.random(Xf.shape)<0.05
    X=Xf.copy(); X[m]=np.nan
    idx=np.arange(len(y))
    tr,te=train_test_split(idx,test_size=0.3,stratify=y,random_state=s)
    for name,mk in {'EXTRA-TREES':lambda: ExtraTreesClassifier(100,random_state=s),'BOOSTING':lambda: GradientBoostingClassifier(random_state=s),'RANDOM-FOREST':lambda: RandomForestClassifier(100,random_state=s)}.items():
        for tag,XX in (('95',X),('100',Xf)):
            p=Pipeline([('i',KNNImputer(n_neighbors=1)),('c',mk())]).fit(XX[tr],y[tr])
            res.setdefault(tag+'|KNN-1|PASSTHROUGH|'+name+'|test',[]).append(p.score(XX[te],y[te]))
for k,v in res.items(): print(k,round(np.mean(v),5),round(np.std(v,ddof=0),5),round(np.std(v,ddof=1),5))
