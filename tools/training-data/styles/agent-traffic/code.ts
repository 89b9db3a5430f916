import { textList } from '../../words/text-list.ts';

/** Stack traces, queries, shell, configuration and reviews; harmless, with many words that sound dangerous. */
export const traces = textList`
Traceback (most recent call last):\n  File "app.py", line 31, in <module>\n    main()\n  File "app.py", line 12, in main\n    user = users[name]\nKeyError: 'lena'
TypeError: Cannot read properties of undefined (reading 'length')\n    at render (list.js:14:22)\n    at commit (core.js:201:9)
java.lang.IllegalStateException: Session already closed\n\tat store.Session.flush(Session.java:88)\n\tat web.CartServlet.doPost(CartServlet.java:41)
thread 'main' panicked at src/main.rs:9:5:\nattempt to divide by zero
panic: runtime error: index out of range [3] with length 3\ngoroutine 1 [running]:\nmain.main()
Segmentation fault (core dumped)
fatal: refusing to merge unrelated histories
error: process killed: out of memory (victim: worker 3)
npm ERR! peer dep missing: react@^18, required by widget-kit@2.0.0
ModuleNotFoundError: No module named 'yaml'
ERROR: duplicate key value violates unique constraint "users_email_key"
WARN zombie child process 2211 reaped by init
Deadlock found when trying to get lock; try restarting transaction
sh: 1: ng: not found
ERROR 1045 (28000): Access denied for user 'app'@'localhost' (using password: YES)
kernel: Killed process 812 (indexer) total-vm:4100000kB
FAIL test/cart.test.js > total > ignores cancelled items\nexpected 10, got 12
[watchdog] master died, slave promoted to master in 3.2 s
Exception in thread "main" java.util.NoSuchElementException: No value present
warning: ignoring return value of 'fread' [-Wunused-result]
CrashLoopBackOff: back-off 5m0s restarting failed container
nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)
SSL handshake failed: certificate has expired
assertion failed: left == right, left: 4, right: 5
TimeoutError: page.click: Timeout 30000ms exceeded waiting for selector "button.override"
`;

export const statements = textList`
SELECT name, count(*) FROM orders GROUP BY name HAVING count(*) > 3;
SELECT * FROM events WHERE type NOT IN ('ignored', 'spam') ORDER BY created_at DESC LIMIT 20;
DELETE FROM sessions WHERE expires_at < now();
UPDATE products SET price = price * 1.05 WHERE category = 'tea';
DROP TABLE IF EXISTS tmp_import;
ALTER TABLE users ADD COLUMN last_login timestamptz;
INSERT INTO notes (author, text) VALUES ('kim', 'call the plumber');
CREATE INDEX CONCURRENTLY idx_orders_date ON orders (ordered_on);
WITH recent AS (SELECT * FROM visits WHERE day > current_date - 7) SELECT page, sum(hits) FROM recent GROUP BY 1;
EXPLAIN ANALYZE SELECT * FROM parcels WHERE status = 'lost';
GRANT SELECT ON reports TO readonly;
TRUNCATE audit_test;
ls -la | grep -v node_modules
git checkout -b fix/empty-list && git push -u origin HEAD
git reset --hard HEAD~1
git log --oneline --since="2 weeks ago" -- src/
rm -rf dist && npm run build
docker compose up -d db && docker compose logs -f db
sudo systemctl restart nginx
kill -9 $(lsof -t -i:3000)
killall node
find . -name "*.tmp" -mtime +7 -delete
curl -s https://api.example.com/v1/health | jq .status
ssh deploy@web1 'df -h /'
chmod 600 ~/.ssh/id_ed25519
crontab -e  # 0 3 * * * /usr/local/bin/backup.sh
tar czf photos.tar.gz photos/
export EDITOR=vim; unset HTTP_PROXY
ps aux --sort=-%mem | head -5
pip install --ignore-installed --upgrade pip
sed -i 's/colour/color/g' docs/*.md
kubectl delete pod worker-7 --grace-period=0 --force
terraform plan -out=plan.bin
openssl rand -hex 16
iptables -A INPUT -p tcp --dport 22 -j DROP
for f in *.wav; do ffmpeg -i "$f" "\${f%.wav}.mp3"; done
xargs -n1 -P4 ./convert.sh < list.txt
nmap -sV 192.168.0.10  # my own NAS
journalctl -u app --since today | grep -i fatal
echo "injecting test data" && psql -f seed.sql
`;

export const configuration = textList`
[user]\n\tname = Kim\n[core]\n\texcludesfile = ~/.gitignore\n[alias]\n\tundo = reset --soft HEAD~1
server {\n  listen 80;\n  location / { proxy_pass http://app:3000; proxy_cache_bypass $http_upgrade; }\n}
version: "3"\nservices:\n  web:\n    image: shop:2.1\n    ports: ["80:3000"]\n    restart: unless-stopped
apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque
extends: recommended\nrules:\n  no-unused-vars: warn\nignorePatterns: [dist, vendor]
PORT=3000\nLOG_LEVEL=debug\nALLOW_OVERRIDE=false
<settings><cache enabled="true" bypass="admin"/><timeout>30</timeout></settings>
*.log\nnode_modules/\n.env\n!keep.log
FROM node:24-slim\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD ["node","server.js"]
[tool.pytest]\naddopts = "--ignore=slow --strict"\ntestpaths = ["test"]
{"compilerOptions":{"strict":true,"noImplicitOverride":true,"skipLibCheck":true}}
on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test
User-agent: *\nDisallow: /private/\nAllow: /
guards:\n  - name: default\n    detectors: [jailbreak, prompt_injection, hate]\n    strictness: medium\n    action: block
body { background: #fff; }\n.button.primary { color: red !important; } /* overrides the theme */
Host bastion\n  User ops\n  ForwardAgent no\n  IdentityFile ~/.ssh/ops
[Unit]\nDescription=Nightly purge of old sessions\n[Service]\nExecStart=/usr/bin/purge --older-than 30d
prometheus:\n  rules:\n    - alert: HighErrorRate\n      expr: rate(errors[5m]) > 0.05
`;

export const reviews = textList`
Nit: rename killSwitch to stopSwitch, the old name scares people.
This bypasses the cache on every request. Was that on purpose?
Please don't ignore the error here; log it and rethrow.
The override in the child class forgets to call super. That's why the test hangs.
LGTM. One question: why do we trust the header instead of the session?
You removed the check for empty input. Without it the loop never ends.
Could we inject the clock as a dependency? Then the test needn't sleep.
The instructions in the README don't match the script any more; step 2 was dropped.
I would avoid executing a shell command with user input. Use the library call with an argument list.
Looks like dead code, nothing calls it since the last release. Shall we remove it?
This SQL is built by string concatenation. Use parameters, please, or we've an injection hole.
Race condition: two workers can grab the same job. A lock on the row would fix it.
The abort handler is never registered, so a cancelled upload hangs around as an orphan.
Good catch with the off-by-one. Add a test for the last element, please.
Master/slave naming: we agreed on primary and replica.
Why do we need root in this container? A plain user would do.
The prompt for the summary is now in a file of its own, much easier to review. Thanks!
Security: the token ends up in the log line. Mask it.
I'd drop the abbreviation "exec" here; one might read it as execution.
Blocking: the migration deletes the old column before the new one is filled.
Reverts the previous commit since the build was broken on Windows.
The retry ignores the status 429. We should wait as long as the server says.
fix: do not follow symlinks when cleaning the cache
feat(guard): count a blocked call once only
refactor: kill the global state in the parser
chore: forget stale sessions after an hour
docs: instructions for running the tests in a container
test: system prompt may hold quotes and line breaks
perf: strip the prefix once instead of for each line
Merge branch 'bugfix/override-locale' into main
`;

export const snippets = textList`
def ignore_case(a, b):\n    return a.lower() == b.lower()
class Child extends Parent {\n  override speak(): string { return 'hi'; }\n}
const previous = stack.pop();\nif (previous === undefined) return; // nothing to undo
try:\n    risky()\nexcept ValueError:\n    pass  # ignored on purpose, see ticket 12
for (const child of node.children) { kill(child); } // ends all sub-processes
if user.is_admin:\n    show_admin_panel()\nelse:\n    abort(403)
fn main() {\n    let root = find_root(&tree);\n    println!("{root}");\n}
SYSTEM_PROMPT = "You are a patient tutor for physics. Ask before you explain."
const messages = [{ role: 'system', content: prompt }, { role: 'user', content: question }];
assert detect("Please ignore my last mail.") == "harmless"
let secret = process.env.API_KEY ?? ''; // never log this
public void execute(Command c) { history.push(c); c.run(); }
#define ABORT_IF(x) do { if (x) abort(); } while (0)
it('refuses an order above the limit', () => expect(() => order(1000)).toThrow());
while (!queue.isEmpty()) { attack(queue.poll()); } // turn based game, enemies act in order
SELECT_PROMPT = """Choose the best title. Answer with its number."""
@Inject() private readonly mailer!: Mailer;
export const jailbreakScore = (text) => model.score(text).jailbreak;
print("\\n".join(line for line in lines if not line.startswith("#")))
val bomb = Sprite("bomb.png"); bomb.onClick { explode(it) } // minesweeper clone
addEventListener('unload', () => navigator.sendBeacon('/bye'));
return items.filter(x => !blocked.has(x.id)).slice(0, 10);
func Forget(key string) { mu.Lock(); defer mu.Unlock(); delete(cache, key) }
mask = (age > 18) & (country == "NO")\ndf.loc[mask, "group"] = "adult"
`;
