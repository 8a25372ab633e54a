const protocol = require("@cogency/protocol");
const testkit = require("@cogency/protocol/testkit");

import("./report.js")
  .then(({ report }) => report("CommonJS", protocol, testkit))
  .then((found) => console.log(JSON.stringify(found)));
