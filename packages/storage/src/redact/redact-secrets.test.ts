import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";
import { redactionMark } from "./redaction-mark.ts";

const mark = redactionMark;
const letters = "A7bQ9xK2mZ4tR8wL1nP6vC3yD5jF0hGsEuTiOoXaBcNdMe";
/**
 * `length` letters and digits that look random. This file contains no real key, and none that a scanner would report.
 */
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
    ["xAI", `xai-${some(80)}`],
    ["xAI, shorter", `xai-${some(24)}`],
    ["Telegram, of a bot with few digits", `${some(6, "123456789")}:AA${some(33)}`],
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
    ["NVIDIA", `nvapi-${some(64)}`],
    ["LangSmith", `lsv2_pt_${hex(32)}_${hex(10)}`],
    ["Terraform Cloud", `${some(14)}.atlasv1.${some(67)}`],
  ])("recognizes a key by its shape: %s", (_, secret) => {
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
    [`https://api.telegram.org/bot123456789:AA${some(33)}/getMe`, `https://api.telegram.org/bot${mark}/getMe`],
    ["_auth=dXNlcjpwYXNz", `_auth=${mark}`],
    ["_auth = dXNlcjpwYXNzd29yZA==\nemail=a@b.c", `_auth = ${mark}\nemail=a@b.c`],
    ['_auth="dXNlcjpwYXNz"\n', `_auth="${mark}"\n`],
    ["//r.test/:_auth=dXNlcjpwYXNz\n", `//r.test/:_auth=${mark}\n`],
    ["//r.test/npm/:_authToken=abcdefghij\nregistry=x", `//r.test/npm/:_authToken=${mark}\nregistry=x`],
    ["_authToken=00000000-0000-4000-8000-000000000000", `_authToken=${mark}`],
    ["//r.test/:_password=cGFzc3dvcmQ=\n//r.test/:username=me", `//r.test/:_password=${mark}\n//r.test/:username=me`],
    [JSON.stringify("a=b\n_auth=dXNlcjpwYXNz\nc=d"), JSON.stringify(`a=b\n_auth=${mark}\nc=d`)],
    ["export AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEJr//wEaCXVz+dXR=", `export AWS_SESSION_TOKEN=${mark}`],
    ['AWS_SESSION_TOKEN="IQoJb3JpZ2luX2VjEJr//wEaCXVz"', `AWS_SESSION_TOKEN="${mark}"`],
    ["$env:AWS_SESSION_TOKEN='IQoJb3JpZ2luX2VjEJr//wEa'", `$env:AWS_SESSION_TOKEN='${mark}'`],
    ["set AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEJr//wEa\r\n", `set AWS_SESSION_TOKEN=${mark}\r\n`],
    ["aws_session_token = FwoGZXIvYXdzEBYaDH7/+abc==\nregion = x", `aws_session_token = ${mark}\nregion = x`],
    ["aws_session_token=FwoGZXIvYXdzEBYaDH7/+abc==", `aws_session_token=${mark}`],
    ['{"SessionToken": "FwoGZXIvYXdzEBYaDH7/+abc=="}', `{"SessionToken": "${mark}"}`],
    ["aws configure set aws_session_token FwoGZXIvYXdzEBYaDH7", `aws configure set aws_session_token ${mark}`],
    [
      '{"auths":{"https://index.docker.io/v1/":{"auth":"dXNlcjpwYXNz"}}}',
      `{"auths":{"https://index.docker.io/v1/":{"auth":"${mark}"}}}`,
    ],
    ['{\n\t"auth" : "dXNlcjpwYXNzd29yZA=="\n}', `{\n\t"auth" : "${mark}"\n}`],
    ['"{\\"auth\\":\\"dXNlcjpwYXNz\\"}"', `"{\\"auth\\":\\"${mark}\\"}"`],
    ["machine h.test login me password hunter", `machine h.test login me password ${mark}`],
    ["machine h.test\n  login me\n  password hunter\n", `machine h.test\n  login me\n  password ${mark}\n`],
    [
      "machine a login b account c password d1\nmachine e login f password g1",
      `machine a login b account c password ${mark}\nmachine e login f password ${mark}`,
    ],
    ["default login anonymous password hunter", `default login anonymous password ${mark}`],
    [
      "     1\tmachine a\n     2\tlogin b\n     3\tpassword hunter",
      `     1\tmachine a\n     2\tlogin b\n     3\tpassword ${mark}`,
    ],
    [JSON.stringify("machine a\nlogin b\npassword hunter\n"), JSON.stringify(`machine a\nlogin b\npassword ${mark}\n`)],
    [`    client-key-data: LS0tLS1CRUdJTiBSU0Eg${some(40)}==\n`, `    client-key-data: ${mark}\n`],
    [`{"client-key-data":"LS0tLS1CRUdJTiBSU0Eg"}`, `{"client-key-data":"${mark}"}`],
    ["- name: me\n  user:\n    token: a1b2c3d4e5f6a7b8", `- name: me\n  user:\n    token: ${mark}`],
    ["    token: abcdef.0123456789abcdef\n", `    token: ${mark}\n`],
    ["mysql -u root -phunter db", `mysql -u root -p${mark} db`],
    ["mysql -uroot -p'two words' db", `mysql -uroot -p'${mark}' db`],
    ["mysqldump -h db -pHUNTER2 app > x.sql", `mysqldump -h db -p${mark} app > x.sql`],
    ["docker exec db mysqladmin -phunter ping", `docker exec db mysqladmin -p${mark} ping`],
    ["mariadb-dump -phunter x | gzip -p1", `mariadb-dump -p${mark} x | gzip -p1`],
    ["mysql -h db \\\n  -phunter", `mysql -h db \\\n  -p${mark}`],
    [JSON.stringify({ command: 'mysql -p"hunter 2" x' }), JSON.stringify({ command: `mysql -p"${mark}" x` })],
    ["sshpass -p hunter ssh me@host", `sshpass -p ${mark} ssh me@host`],
    ["sshpass -phunter ssh me@host", `sshpass -p${mark} ssh me@host`],
    ["sshpass -v -p 'two words' scp a b", `sshpass -v -p '${mark}' scp a b`],
    ['{"name":"API_KEY","value":"hunter"}', `{"name":"API_KEY","value":"${mark}"}`],
    ['[{ "name": "DB_PASSWORD", "value": "hunter" }]', `[{ "name": "DB_PASSWORD", "value": "${mark}" }]`],
    [
      '"{\\"key\\":\\"client_secret\\",\\"value\\":\\"hunter\\"}"',
      `"{\\"key\\":\\"client_secret\\",\\"value\\":\\"${mark}\\"}"`,
    ],
    ["- name: DB_PASSWORD\n  value: hunter\n", `- name: DB_PASSWORD\n  value: ${mark}\n`],
    ['["deploy","--password","hunter","-v"]', `["deploy","--password","${mark}","-v"]`],
    ["spawn('deploy', ['--api-key', 'hunter'])", `spawn('deploy', ['--api-key', '${mark}'])`],
    ['{"auths":{"r":{"identitytoken":"hunter"}}}', `{"auths":{"r":{"identitytoken":"${mark}"}}}`],
    ['{"registrytoken" : "hunter"}', `{"registrytoken" : "${mark}"}`],
    ["redis-cli -h db -a hunter ping", `redis-cli -h db -a ${mark} ping`],
    ["valkey-cli --pass 'two words' ping", `valkey-cli --pass '${mark}' ping`],
    ["REDISCLI_AUTH=hunter redis-cli ping", `REDISCLI_AUTH=${mark} redis-cli ping`],
    ["smbclient -U me%hunter //host/share", `smbclient -U me%${mark} //host/share`],
    ["smbclient //h/s --user='D\\me%a;b&c'", `smbclient //h/s --user='D\\me%${mark}'`],
    ["rpcclient -Ume%hunter host", `rpcclient -Ume%${mark} host`],
    [
      `https://b.s3.test/k?X-Amz-Date=1&X-Amz-Signature=${hex(64)}&x=1`,
      `https://b.s3.test/k?X-Amz-Date=1&X-Amz-Signature=${mark}&x=1`,
    ],
    [`https://a.test/x?sv=2024&sig=${some(40)}%2Bb%3D&se=1`, `https://a.test/x?sv=2024&sig=${mark}&se=1`],
    [`https://a.test/x?Signature=${some(40)}~__&Key-Pair-Id=K1`, `https://a.test/x?Signature=${mark}&Key-Pair-Id=K1`],
    [`<a href="https://a.test/x?a=1&amp;sig=${some(43)}=">`, `<a href="https://a.test/x?a=1&amp;sig=${mark}">`],
    ["<db:password>\n  hunter\n</db:password>", `<db:password>\n  ${mark}\n</db:password>`],
    ['<password encrypted="no">hunter</password>', `<password encrypted="no">${mark}</password>`],
    ["<password><![CDATA[h<u>nter]]></password>", `<password><![CDATA[${mark}]]></password>`],
    ['<add key="Password" value="hunter two" />', `<add key="Password" value="${mark}" />`],
    ['<property name="db.password">hunter</property>', `<property name="db.password">${mark}</property>`],
    ["<name>my.password</name>\n <value>hunter</value>", `<name>my.password</name>\n <value>${mark}</value>`],
    ["<key>Password</key><string>hunter</string>", `<key>Password</key><string>${mark}</string>`],
    ["password: |\n  hunter\nuser: me\n", `password: |\n  ${mark}\nuser: me\n`],
    [
      "a:\n  - password: >-\n      hunter\n\n      two\n    user: me",
      `a:\n  - password: >-\n      ${mark}\n    user: me`,
    ],
    ['"client_secret": !!str |2 # mine\r\n   hunter\r\nb: c', `"client_secret": !!str |2 # mine\r\n   ${mark}\r\nb: c`],
    ["  1\tpassword: |\n  2\t  hunter\n  3\tb: c", `  1\tpassword: |\n  2\t  ${mark}\n  3\tb: c`],
    ["credentials: |\n  password: |\n    hunter", `credentials: |\n  password: |\n    ${mark}`],
    ["db.test:5432:app:me:hunter\n*:*:*:me:a\\:b", `db.test:5432:app:me:${mark}\n*:*:*:me:${mark}`],
    [
      `Encryption: none\nPrivate-Lines: 2\n${some(64)}\nAbc1\nPrivate-MAC: ${hex(64)}`,
      `Encryption: none\nPrivate-Lines: 2\n${mark}\nPrivate-MAC: ${hex(64)}`,
    ],
    [`Private-Lines: 9\\r\\n${some(64)}\\r\\n${some(30)}==`, `Private-Lines: 9\\r\\n${mark}`],
  ])("recognizes a secret by its context: %s", (text, redacted) => {
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
    ["a model of xAI", "xai-grok-4-fast-reasoning and xai-org/grok-1 are models; x.ai"],
    ["times and ports", "12:34:56, 123456789:8080, at 1234567:AA, /bot123/getMe, bot:AAB"],
    [
      "code of a private field",
      "self._auth = auth\nthis._auth=session; f(_auth=handler, _password=password)\n_auth = require_login",
    ],
    ["references in .npmrc", "//r.test/:_authToken=$" + "{NPM_TOKEN}\n_auth=$AUTH\nalways-auth=true"],
    [
      "what `auth` is elsewhere",
      '{"auth": "required", "auth": "basic", "auth":"Zm9vYmFy", "auth": {"type": "oauth"}, "authors": "a:b"}',
    ],
    [
      "references to a session",
      "AWS_SESSION_TOKEN=$TOKEN aws_session_token = <token> and the AWS_SESSION_TOKEN is set",
    ],
    [
      "machines in prose",
      "The machine login is separate. machine learning login page; a default login and a password exist.",
    ],
    [
      "what is public of a cluster",
      "certificate-authority-data: LS0tLS1CRUdJTiBDRVJU\nclient-certificate-data: LS0tLS1CRUdJTiBDRVJU\n",
    ],
    [
      "commands that ask",
      'mysql -u root -p db; mysql -p$PASS; mysql -p"$' + '{PASS}"; mysql -P3306 --protocol=tcp; mysqldump -p',
    ],
    ["ports of a container", "docker run --name mysql -d -p3306:3306 image; mkdir -p a; ssh -p 22 host"],
    [
      "sshpass without a password",
      "sshpass -f file ssh host; sshpass -e ssh host; sshpass -p $PASS ssh host; use sshpass -p",
    ],
    [
      "pairs that hold no secret",
      '{"name":"LOG_LEVEL","value":"debug1"}, {"name":"API_KEY","value":"$API_KEY"}, {"name": "API_KEY", "valueFrom": {"a": "b"}}',
    ],
    [
      "options without a secret",
      '["--password-file","a.txt","--passwordless","x1","--user","me"], ["--password","$PASSWORD"]',
    ],
    ["tokens for identity in code", 'identityToken = session; identityToken: "hello"; {"identitytoken": ""}'],
    [
      "other commands with -a",
      'redis-cli ping && ls -a files; redis-cli -a $PASS; redis-cli -a "$PASS" --askpass; ps -a b',
    ],
    ["users of Samba", "smbclient -U me //host/share; smbclient -U me%$PASS -N; rpcclient -U% host\ndate -U a%b"],
    [
      "what is no signature",
      "https://a.test/?sig=1&signature=required-by-the-service; f(sig=abcdef0123456789abcd); ?signature=$SIGNATURE",
    ],
    [
      "elements with texts for people",
      '<password>Your password</password><Password id="x">Show</Password><password/><token>hello</token><password>$' +
        "{env.PASS}</password>",
    ],
    [
      "other names in XML",
      '<add key="PasswordFormat" value="clear1" /><input name="password" type="password" /><name>Ada</name><value>a1</value>',
    ],
    [
      "blocks of YAML without a secret",
      "description: |\n  a1b2c3\npassword: |\nuser: me\nsecret: |\n  $SECRET\ntoken: >\n  a piece of text\npassword: |\n",
    ],
    [
      "places in files",
      "a.ts:12:5:error:x1\nroot:x:0:0:root:/root:/bin/sh\n10:30:00:12:5\ndaemon:*:18375:0:99999:7:::",
    ],
    ["a version of Terraform", "see terraform.atlasv1.html and nvapi-documentation, lsv2_pt_name"],
    ["what is said about PuTTY", "Private-Lines: 4 is followed by so many lines. Private-Lines: none"],
    ["emoji and other scripts", "密码 ist kein パスワード 🙂 e\u0301"],
  ])("keeps %s", (_, text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it.each([
    ["Authorization", "Basic dXNlcjpwYXNz", `Basic ${mark}`],
    ["authorization", "Bearer abc", `Bearer ${mark}`],
    ["Proxy-Authorization", "abc", mark],
    ["Cookie", "sid=abc; a=b", mark],
    ["Authorization", "$TOKEN", "$TOKEN"],
    ["Authorization", "Bearer $TOKEN", "Bearer $TOKEN"],
  ])("redacts the value of a property %s: %s", (name, text, redacted) => {
    expect(redactSecrets(text, name)).toBe(redacted);
    expect(redactSecrets(redacted, name)).toBe(redacted);
  });

  it("redacts the whole value of a property with the name of a secret", () => {
    expect(redactSecrets("correct horse battery", "passphrase")).toBe(mark);
    expect(redactSecrets("abc", "OPENAI_API_KEY")).toBe(mark);
    expect(redactSecrets("abc", "apiKeyName")).toBe("abc");
    expect(redactSecrets("$PASSWORD", "password")).toBe("$PASSWORD");
    expect(redactSecrets("hello", "token")).toBe("hello");
  });

  it("is idempotent", () => {
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
      "_auth=",
      '"auth":"dXNlcjpwYXNz"',
      "machine a login b password ",
      "mysql -p",
      "sshpass -p ",
      '"name":"API_KEY","value":"',
      '"--password","',
      "redis-cli -a ",
      "smbclient -U a%",
      "?sig=",
      "password: |\n  ",
      "Private-Lines: 1\n",
      "<password>",
      "</",
      ' key="password" value="',
      "a1",
      "&",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (drawn) => {
        const once = redactSecrets(drawn.join(""));
        if (redactSecrets(once) !== once) expect(redactSecrets(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });
});
