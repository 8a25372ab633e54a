import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";
import { redactionMark } from "./redaction-mark.ts";

const mark = redactionMark;
const letters = "A7bQ9xK2mZ4tR8wL1nP6vC3yD5jF0hGsEuTiOoXaBcNdMe";
/** So many letters and digits that look random. No real key stands here, and none that a scanner would take for one. */
const some = (length: number, alphabet = letters) =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const hex = (length: number) => some(length, "3f9a0c7e51b2d8640f");
const upper = (length: number) => some(length, "Q7ZK2M9XW4T8");
const jwt = `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${some(64)}\n${some(30)}==\n-----END RSA PRIVATE KEY-----`;

describe("redactSecrets", () => {
  it.each([
    ["OpenAI, of a project", `sk-proj-${some(40)}_${some(40)}`],
    ["OpenAI, of old", `sk-${some(48)}`],
    ["Anthropic", `sk-ant-api03-${some(60)}-${some(20)}AA`],
    ["OpenRouter", `sk-or-v1-${hex(64)}`],
    ["DeepSeek", `sk-${hex(32)}`],
    ["Google", `AIza${some(35)}`],
    ["Google OAuth", `ya29.${some(60)}`],
    ["a Google client", `GOCSPX-${some(28)}`],
    ["AWS", `AKIA${upper(16)}`],
    ["AWS, for a while", `ASIA${upper(16)}`],
    ["GitHub", `ghp_${some(36)}`],
    ["a GitHub app", `ghs_${some(36)}`],
    ["GitHub, fine-grained", `github_pat_${some(22)}_${some(59)}`],
    ["GitLab", `glpat-${some(20)}`],
    ["Atlassian", `ATATT3${some(100)}=${hex(8)}`],
    ["Slack", `xoxb-${some(12)}-${some(24)}`],
    ["Discord", `M${some(25)}.${some(6)}.${some(38)}`],
    ["Telegram", `${some(9, "123456789")}:AA${some(33)}`],
    ["Stripe", `sk_${"live"}_${some(24)}`],
    ["Stripe, restricted", `rk_${"test"}_${some(24)}`],
    ["a Stripe webhook", `whsec_${some(32)}`],
    ["Shopify", `shpat_${hex(32)}`],
    ["npm", `npm_${some(36)}`],
    ["PyPI", `pypi-AgEIcHlwaS5vcmc${some(80)}`],
    ["Docker", `dckr_pat_${some(27)}`],
    ["Hugging Face", `hf_${some(34)}`],
    ["Groq", `gsk_${some(52)}`],
    ["Replicate", `r8_${some(37)}`],
    ["Tavily", `tvly-dev-${some(32)}`],
    ["Brave", `BSA${some(28)}`],
    ["SendGrid", `SG.${some(22)}.${some(43)}`],
    ["Twilio", `SK${hex(32)}`],
    ["Mailgun", `key-${hex(32)}`],
    ["Mailchimp", `${hex(32)}-us12`],
    ["DigitalOcean", `dop_v1_${hex(64)}`],
    ["Databricks", `dapi${hex(32)}`],
    ["Vault", `hvs.${some(90)}`],
    ["Linear", `lin_api_${some(40)}`],
    ["Notion", `ntn_${some(46)}`],
    ["Grafana", `glsa_${some(32)}_${hex(8)}`],
    ["Supabase", `sb_secret_${some(31)}`],
    ["age", `AGE-SECRET-KEY-1${upper(58)}`],
    ["a JSON Web Token", jwt],
    ["an RSA key", pem],
    ["a key in JSON", pem.replaceAll("\n", "\\n")],
    ["a PGP key", pem.replaceAll("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")],
    ["a key that was cut off", pem.slice(0, 115)],
  ])("knows a key by its shape: %s", (_, secret) => {
    expect(redactSecrets(secret)).toBe(mark);
    expect(redactSecrets(`the key (${secret}), and more.`)).toBe(`the key (${mark}), and more.`);
    expect(redactSecrets(`x="${secret}"\n`)).toBe(`x="${mark}"\n`);
    expect(redactSecrets(secret, "note")).toBe(mark);
  });

  it.each([
    ["Authorization: Bearer abcdef", `Authorization: Bearer ${mark}`],
    ["authorization: Basic dXNlcjpwYXNz\r\nhost: x", `authorization: Basic ${mark}\r\nhost: x`],
    ['{"Authorization":"token abcdef"}', `{"Authorization":"token ${mark}"}`],
    [
      "curl -H 'Authorization: Bearer abcdef' -H 'X-Api-Key: 0a1b2c3d'",
      `curl -H 'Authorization: Bearer ${mark}' -H 'X-Api-Key: ${mark}'`,
    ],
    [`fetch with Bearer ${some(30)} now`, `fetch with Bearer ${mark} now`],
    ["DB_PASSWORD=correcthorse\nDB_USER=me", `DB_PASSWORD=${mark}\nDB_USER=me`],
    ["SECRET_KEY=django-insecure-a(b)c$d&e#1\nDEBUG=1", `SECRET_KEY=${mark}\nDEBUG=1`],
    ["DB_PASSWORD=p@ss;word1&more\n", `DB_PASSWORD=${mark}\n`],
    ["  12\texport SMTP_PASS=abcd efgh ijkl mnop\n  13\tA=1", `  12\texport SMTP_PASS=${mark}\n  13\tA=1`],
    ["MYSQL_PASS='s3cr3tpw'", `MYSQL_PASS='${mark}'`],
    ["SECRET_HASH_SECRET=$2b$10$abcdefghijk", `SECRET_HASH_SECRET=${mark}`],
    ["JWT_SECRET=my-super-secret-value-1", `JWT_SECRET=${mark}`],
    ["APP_KEY=base64:a1b2c3d4e5f6a7b8c9d0", `APP_KEY=${mark}`],
    [`AWS_SESSION_TOKEN=${some(3000)}\n`, `AWS_SESSION_TOKEN=${mark}\n`],
    [`{"api_key": "${some(3000)}"}`, `{"api_key": "${mark}"}`],
    ['const password: string = "hunter2";', `const password: string = "${mark}";`],
    [JSON.stringify("password=letmein\nuser=x"), JSON.stringify(`password=${mark}\nuser=x`)],
    [JSON.stringify(`a\nghp_${some(36)}`), JSON.stringify(`a\n${mark}`)],
    [`\\u003dghp_${some(36)}`, `\\u003d${mark}`],
    [`key%3DAIza${some(35)}`, `key%3D${mark}`],
    [`\u001b[32mghp_${some(36)}\u001b[0m`, `\u001b[32m${mark}\u001b[0m`],
    ["\\u0022password\\u0022:\\u0022hunter2\\u0022", `\\u0022password\\u0022:\\u0022${mark}\\u0022`],
    ["&quot;password&quot;:&quot;hunter2&quot;", `&quot;password&quot;:&quot;${mark}&quot;`],
    ["curl -s -u admin:hunter2 https://x.test", `curl -s -u admin:${mark} https://x.test`],
    ["curl --user 'admin:hunter2' https://x.test", `curl --user 'admin:${mark}' https://x.test`],
    ["Authorization: a1b2c3d4e5f6a7b8\nHost: x", `Authorization: ${mark}\nHost: x`],
    ["> Cookie: session=abcdef; a=b\n> Host: x", `> Cookie: ${mark}\n> Host: x`],
    ['{"set-cookie":"sid=abcdef; Path=/"}', `{"set-cookie":"${mark}"}`],
    ["mysql -u root --password=hunter db", `mysql -u root --password=${mark} db`],
    [`  1\t${pem.slice(0, 115).replaceAll("\n", "\n  2\t")}`, `  1\t${mark}`],
    [pem.slice(0, 115).replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AA\n\n"), mark],
    ["export STRIPE_SECRET='s3cr et'", `export STRIPE_SECRET='${mark}'`],
    ["OPENAI_API_KEY_2=abc", `OPENAI_API_KEY_2=${mark}`],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", `aws_secret_access_key = ${mark}`],
    ['{"api_key": "abc def", "n": 1}', `{"api_key": "${mark}", "n": 1}`],
    ['{"clientSecret":"a\\"b","n":1}', `{"clientSecret":"${mark}","n":1}`],
    ['"{\\"password\\":\\"hunter\\"}"', `"{\\"password\\":\\"${mark}\\"}"`],
    ["password: hunter2\nuser: me", `password: ${mark}\nuser: me`],
    ["password=letmein\n", `password=${mark}\n`],
    ["os.environ['GITHUB_TOKEN'] = 'a1b2c3d4e5'", `os.environ['GITHUB_TOKEN'] = '${mark}'`],
    ["https://x.test/?api_key=abcdef&page=2", `https://x.test/?api_key=${mark}&page=2`],
    ["https://x.test/?access_token=a1b2c3d4e5", `https://x.test/?access_token=${mark}`],
    ["//npm.test/:_authToken=a1b2c3d4e5", `//npm.test/:_authToken=${mark}`],
    ["mysql --password hunter2 -u me", `mysql --password ${mark} -u me`],
    ["deploy --api-key=a1b2", `deploy --api-key=${mark}`],
    ["<password>hunter2</password>", `<password>${mark}</password>`],
    ["Server=db;Pwd=hunter2;Port=1", `Server=db;Pwd=${mark};Port=1`],
    ["postgres://me:hunter2@db.test:5432/app", `postgres://me:${mark}@db.test:5432/app`],
    ["redis://:p@ss@db.test", `redis://:${mark}@db.test`],
    ["https://hooks.slack.com/services/T0001/B0001/abcdefghij", `https://hooks.slack.com/services/${mark}`],
  ])("knows a secret by where it stands: %s", (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
  });

  it.each([
    ["a git hash", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8"],
    ["a SHA-256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["a UUID", "conversation 7d444840-9dc0-11d1-b245-5ffdce74fad2"],
    ["ordinary base64", `data:image/png;base64,${Buffer.from(some(3000)).toString("base64")}`],
    ["an integrity", `"integrity": "sha512-${Buffer.from(hex(64)).toString("base64")}"`],
    ["an address", "https://example.test:8080/a/b?next=/c@d#e"],
    ["an address with a user", "ssh://git@example.test/a.git and me@example.test"],
    ["a reference to the environment", "Authorization: $AUTH, API_KEY=$OTHER, password=%PASSWORD%"],
    ["a reference in code", "const apiKey = process.env.OPENAI_API_KEY; connect({ password: config.password })"],
    ["a call in code", "const token = await nextToken(); this.password = readPassword(0);"],
    ["a parameter in code", "login(user=user, password=password, token=token)"],
    ["a type", "interface Login { password: string; token?: string | null }"],
    ["a comparison", "if (password === other2 || token == value9) return"],
    ["a schema", '{"password":{"type":"string","minLength":8},"required":["password","token"]}'],
    ["a placeholder", 'api_key: "your-api-key", password: "<password>", secret="***", token = "xxxx"'],
    ["the label of a field", '{"password": "Your password", "apiKey": "API key"}'],
    ["counts of tokens", '{"max_tokens": 4096, "token": 12, "tokens":812}'],
    ["a token of a language", '{"token": "hello", "nextToken": "a1b2c3d4e5f6"}'],
    ["prose", "Give --password to set the password: it is stored. The secret is out. Token: a piece of text."],
    ["an arrow function", "tokens.map((token) => token.text); password => hash2(password)"],
    [
      "names that begin like keys",
      "sk-learn sk-circle-fade-dot-animation-long-name-v2 hf_transformers_are_all_you_need",
    ],
    ["a component", "<sk-loading-skeleton-with-a-long-name> task-and-a-risk-assessment-of-30-pages"],
    ["a public key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIB\n-----END PUBLIC KEY-----"],
    ["a mention of a private key", "It begins with -----BEGIN PRIVATE KEY----- and is kept in a file."],
    ["code in capitals", "API_KEY=os.environ[name]\nSECRET_KEY=read_secret(1)\nPASSWORD=$(cat file1)\nTOKEN=$TOKEN1"],
    ["results of tests", "first_pass: 2nd1, pass: 12/12, --pass=3"],
    ["names of keys in capitals", "PUBLIC_KEY=a1b2c3d4e5f6a7b8c9d0\nCACHE_KEY=a1b2c3d4e5f6a7b8c9d0\nSORT_KEY=id"],
    ["what is said about headers", "Authorization: required. Cookie: a small text; the cookie: x is set"],
    ["who a process runs as", "docker run -u 1000:1000 a; curl https://x.test:8080/a -o b:c"],
    ["the working directory", "PWD=/home/me/project\nOLDPWD=/home/me"],
    ["the path of a key", 'private_key: "./certs/server.key"'],
    ["a bearer in prose", "a Bearer authentication-scheme-for-everything is meant"],
    ["keys that are none", '{"key":"a1b2c3d4e5f6a7b8","primary_key":"id2","keyboard":"qwerty1"}'],
    ["other words", "secretary=bob1 tokenizer: gpt2 passwordless: yes1 compass=north2"],
    ["an empty value", 'password=""\npassword=\nAPI_KEY='],
    ["a package-lock", '"resolved": "https://npm.test/a/-/a-1.0.0.tgz", "node_modules/sk-a-1": {"version": "2.0.1"}'],
    ["emoji and other scripts", "密码 ist kein パスワード 🙂 e\u0301"],
  ])("leaves %s", (_, text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it.each([
    ["Authorization", "Basic dXNlcjpwYXNz", `Basic ${mark}`],
    ["authorization", "Bearer abc", `Bearer ${mark}`],
    ["Proxy-Authorization", "abc", mark],
    ["Cookie", "sid=abc; a=b", mark],
    ["Authorization", "$TOKEN", "$TOKEN"],
    ["Authorization", "Bearer $TOKEN", "Bearer $TOKEN"],
  ])("takes what a property %s holds: %s", (name, text, redacted) => {
    expect(redactSecrets(text, name)).toBe(redacted);
    expect(redactSecrets(redacted, name)).toBe(redacted);
  });

  it("takes all of what a property with the name of a secret holds", () => {
    expect(redactSecrets("correct horse battery", "passphrase")).toBe(mark);
    expect(redactSecrets("abc", "OPENAI_API_KEY")).toBe(mark);
    expect(redactSecrets("abc", "apiKeyName")).toBe("abc");
    expect(redactSecrets("$PASSWORD", "password")).toBe("$PASSWORD");
    expect(redactSecrets("hello", "token")).toBe("hello");
  });

  it("changes nothing more when it is applied again", () => {
    const parts = [
      "password",
      "token=",
      "API_KEY=",
      '"',
      "'",
      "\\",
      ": ",
      "://a:",
      "@",
      "Bearer ",
      "Authorization: ",
      "--",
      "<",
      ">",
      "\n",
      " ",
      "sk-",
      jwt,
      pem,
      some(40),
      hex(32),
      "ghp_",
      "AKIA",
      "[redacted]",
      "a1",
      "&",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (drawn) => {
        const once = redactSecrets(drawn.join(""));
        expect(redactSecrets(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["sk-"],
    ["eyJ"],
    ["eyJ-"],
    ["-----BEGIN PRIVATE KEY-----"],
    ['password="'],
    ["password='password=\""],
    ['token=\\"'],
    ["://a:b"],
    ["Authorization: basic "],
    ["--password "],
    ["<password>"],
    ["curl -u "],
    ["cookie:a="],
    ["cookie:a=b;"],
    ["authorization:a1"],
    ["password:a"],
    ["PASS"],
    ["\nTOKEN=a aaaa"],
    ["-----BEGIN PRIVATE KEY-----\nA-b: c"],
    ["SG.a"],
    ["-"],
    ["a"],
    ["0f"],
    [" "],
    ["\\"],
  ])(
    "takes time in proportion to the length of a text of nothing but %j",
    (piece) => {
      const text = piece.repeat(4_000_000 / piece.length);
      const start = performance.now();
      redactSecrets(text);
      // A quarter of a second where it is linear, hours where it is not.
      expect(performance.now() - start).toBeLessThan(15_000);
    },
    30_000,
  );
});
