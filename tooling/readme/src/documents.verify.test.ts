import { describeDocuments, pages, readmes } from "./describe-documents.ts";

// All in one test: reading the compiler's libraries takes longer than most documents do. Each example that runs takes a process.
describeDocuments([...readmes, ...pages]);
