import { describeCorpus } from "./describe-corpus.ts";

describeCorpus(8);
