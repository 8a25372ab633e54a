import { describeDocuments, pages } from "./describe-documents.ts";

describeDocuments(pages);
