/** The running product, and how its contract is walked through. */
import assert from 'node:assert/strict';
import { password, type Answer, type Running, type Sent, startBulwark } from './running.ts';

export const api = '/api/v1/shadow-ai';

export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const keys = (value: object): string[] => Object.keys(value).toSorted();

type Refusal = readonly [method: string, path: string, sent?: Sent, why?: RegExp];

export interface Walk extends AsyncDisposable {
  readonly running: Running;
  /** Access tokens of an administrator and of a member. */
  readonly admin: string;
  readonly member: string;
  /** As the administrator, unless another is given. */
  ask(method: string, path: string, sent?: Sent): Promise<Answer>;
  register(username: string, more?: object): Promise<Answer>;
  /** Each is refused with this status, and says why in one sentence. */
  refuses(status: number, cases: readonly Refusal[]): Promise<void>;
}

export async function startWalk(): Promise<Walk> {
  const running = await startBulwark(['up']);
  const admin = await running.login('admin');
  const ask: Walk['ask'] = (method, path, sent) => running.call(method, path, { as: admin, ...sent });
  const register: Walk['register'] = (username, more = {}) =>
    ask('POST', '/auth/register', { body: { username, password, ...more } });
  await register('mara', { roles: ['member'] });
  return {
    running,
    admin,
    member: await running.login('mara'),
    ask,
    register,
    async refuses(status, cases) {
      for (const [method, path, sent, why] of cases) {
        const answer = await ask(method, path, sent);
        assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
        assert.equal(typeof answer.body.detail, 'string');
        if (why !== undefined) assert.match(answer.body.detail, why);
      }
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
