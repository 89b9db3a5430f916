import { Link } from '@tanstack/react-router';
import type { Guard } from '../../api/policy-guard.ts';
import { usePlatform } from '../../frame/use-places.ts';
import { CodeSnippets, type Snippet } from '../../parts/code-snippets.tsx';
import { Panel } from '../../parts/page.tsx';

const presetUrl = 'http://127.0.0.1:8000';

/** The same call in the languages that applications are written in; the key comes from the environment. */
const snippetsOf = (url: string, guardUuid: string): Snippet[] => [
  {
    name: 'Shell',
    text: `curl ${url}/api/topic_guard \\
  -H "X-API-Key: $BULWARK_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"guard_uuid": "${guardUuid}", "text": "What the user wrote"}'`,
  },
  {
    name: 'Python',
    note: 'Needs the package requests.',
    text: `import os, requests

verdict = requests.post(
    "${url}/api/topic_guard",
    headers={"X-API-Key": os.environ["BULWARK_API_KEY"]},
    json={"guard_uuid": "${guardUuid}", "text": text},
    timeout=2,
).json()
if verdict["flag"]:
    ...  # Refuse, or ask again`,
  },
  {
    name: 'JavaScript',
    text: `const response = await fetch('${url}/api/topic_guard', {
  method: 'POST',
  headers: {
    'X-API-Key': process.env.BULWARK_API_KEY,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ guard_uuid: '${guardUuid}', text }),
  signal: AbortSignal.timeout(2000),
});
const verdict = await response.json();
if (verdict.flag) {
  // Refuse, or ask again
}`,
  },
  {
    name: 'OpenAI client',
    note: 'The moderations of OpenAI’s own client; only the address and the key change.',
    text: `from openai import OpenAI

client = OpenAI(base_url="${url}/v1", api_key=os.environ["BULWARK_API_KEY"])
answer = client.moderations.create(model="${guardUuid}", input=text)
if answer.results[0].flagged:
    ...  # Refuse, or ask again`,
  },
];

/** How an application asks the guard. */
export function CallIt({ guard }: { guard: Guard }) {
  const { data } = usePlatform();
  const url = data?.services.find(({ name }) => name === 'policy-guard')?.url ?? presetUrl;
  return (
    <Panel
      title="Call it from your code"
      note={
        <>
          The{' '}
          <Link to="/api-keys" className="text-accent underline">
            API key
          </Link>{' '}
          is read from the variable BULWARK_API_KEY.
        </>
      }
    >
      <CodeSnippets snippets={snippetsOf(url.replace(/\/$/, ''), guard.guard_uuid)} />
    </Panel>
  );
}
