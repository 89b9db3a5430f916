/** Model servers that answer on this machine, and the models that they list. */
import { z } from 'zod';
import { plain } from '#base/log/plain.ts';

/** Where the usual servers listen unless told otherwise. */
export const usualAddresses: readonly string[] = [
  'http://127.0.0.1:11434/v1', // Ollama
  'http://127.0.0.1:8000/v1', // vLLM
  'http://127.0.0.1:8080/v1', // llama.cpp
  'http://127.0.0.1:1234/v1', // LM Studio
];

interface ModelServer {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly kind: string;
  /** As the server spells them; those that turn texts into vectors are left out. */
  readonly models: readonly string[];
}

/** The servers write themselves as owner of their models. */
const kinds: Readonly<Record<string, string>> = {
  library: 'Ollama',
  vllm: 'vLLM',
  llamacpp: 'llama.cpp',
  organization_owner: 'LM Studio',
};

const modelList = z.object({
  data: z.array(z.object({ id: z.string().min(1).max(200), owned_by: z.string().optional() })),
});

const answerWithinMs = 3000;
const longestListBytes = 1024 * 1024;
/** Whatever a server lists beyond these is not measured. */
const mostModels = 50;
const noJudge = /embed|rerank/i;

/** Any program may listen on such a port: nothing that is too long, too slow, or no list of models counts. */
async function textOf(response: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > longestListBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function listModels(baseUrl: string, key: string | undefined): Promise<unknown> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
      headers: { accept: 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    });
    const text = response.ok ? await textOf(response) : undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Nobody listens there, or somebody else.
  }
}

/** @param key for its API; undefined for servers that ask for none */
export async function askServer(address: string, key?: string): Promise<ModelServer | undefined> {
  const baseUrl = address.replace(/\/+$/, '');
  const { success, data } = modelList.safeParse(await listModels(baseUrl, key));
  if (!success) return undefined;
  const owner = data.data[0]?.owned_by ?? '';
  const names = [...new Set(data.data.map(({ id }) => id))];
  return {
    baseUrl,
    kind: kinds[owner] ?? 'OpenAI-compatible server',
    // A name with characters that a terminal obeys is no name of a model.
    models: names.filter((name) => !noJudge.test(name) && plain(name) === name).slice(0, mostModels),
  };
}

/** People give the address of a server without the path of its API, too. */
const askWithPath = async (address: string) =>
  (await askServer(address)) ?? (/\/v1\/*$/.test(address) ? undefined : askServer(`${address}/v1`));

/** Those that answer, in the order of their addresses. */
export async function findServers(addresses: readonly string[]): Promise<ModelServer[]> {
  const asked = await Promise.all([...new Set(addresses)].map(askWithPath));
  return asked.filter((server) => server !== undefined);
}
