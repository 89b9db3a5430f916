/** Scripted agents that the platform itself serves, so that a first evaluation needs no other program. */
import type { HttpApp, HttpReply, HttpRequest } from '#base/http/server.ts';
import { AppError, notFound } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { RunningSessions } from '../sessions/running-sessions.ts';
import { type Persona, personas } from './personas.ts';
import { agentPaths, answerRequest } from './server.ts';
import { TaskBook } from './task-book.ts';
import { BreakOff } from './worker.ts';

export interface BuiltInAgentDeps {
  readonly sessions: RunningSessions;
  readonly tasks: () => readonly TaskInstance[];
  /** Guarded as other requests of the platform are. */
  readonly outbound: Outbound;
  /** Where this service listens. */
  readonly ownUrl: () => string;
  /** URL of the MCP proxy as agents see it. */
  readonly mcpUrl: () => string;
}

const base = '/scripted-agents';

/** A persona that never answers would hold a connection of the platform itself. */
const offered = (Object.keys(personas) as Persona[]).filter((persona) => persona !== 'hangs');

export class BuiltInAgents {
  readonly #deps: BuiltInAgentDeps;
  #known: TaskBook | undefined;

  constructor(deps: BuiltInAgentDeps) {
    this.#deps = deps;
  }

  /** What can be registered; empty where agents at this address must not be called. */
  list(): { persona: string; description: string; endpoint: string }[] {
    const { outbound, ownUrl } = this.#deps;
    const own = ownUrl();
    try {
      outbound.assertAllowed(own);
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
    return offered.map((persona) => ({
      persona,
      description: personas[persona],
      endpoint: `${own}${base}/${persona}${agentPaths.openai_responses}`,
    }));
  }

  addTo(app: HttpApp): void {
    app.route({
      method: 'POST',
      url: `${base}/:persona/*`,
      config: { operation: 'scripted_agent' },
      handler: (request, reply) => this.#answer(request as never, reply as never),
    });
  }

  async #answer(request: HttpRequest, reply: HttpReply): Promise<void> {
    const { persona: asked, '*': path } = request.params as { persona: string; '*': string };
    const persona = offered.find((each) => each === asked);
    if (persona === undefined) throw notFound('The scripted agent');
    const worker = {
      persona,
      book: this.#book,
      outbound: this.#deps.outbound,
      transport: 'http',
      era: 'auto',
    } as const;
    const { headers, body } = request;
    const token = headers['x-redteam-session'];
    const session = typeof token === 'string' && token !== '' ? token : undefined;
    // Whoever has no running task is greeted, and nothing is called for them.
    const isWorking = session !== undefined && this.#deps.sessions.callerOf(session) !== undefined;
    const known = isWorking ? worker : { ...worker, book: nothing };
    // Only the platform's own MCP endpoint is called, whatever address the request names.
    const mcp = isWorking ? { url: `${this.#deps.mcpUrl()}/s/${session}`, apiKey: session } : undefined;
    reply.hijack();
    try {
      await answerRequest(known, { path: `/${path}`, headers, body, mcp }, reply.raw);
    } catch (error) {
      if (!(error instanceof BreakOff) && !reply.raw.headersSent)
        reply.raw
          .writeHead(500, { 'content-type': 'application/json' })
          .end('{"error":{"message":"failed"}}');
      else reply.raw.destroy();
    }
  }

  get #book(): TaskBook {
    return (this.#known ??= new TaskBook(this.#deps.tasks()));
  }
}

const nothing = new TaskBook([]);
