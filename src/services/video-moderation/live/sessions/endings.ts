/** How sessions end, and what is said of it. */
import type { AppError } from '#base/errors.ts';
import type { StreamStatus } from './store.ts';
import type { EndReason, StreamProblem } from './view.ts';

export interface Ending {
  readonly status: Exclude<StreamStatus, 'running'>;
  readonly reason: EndReason;
  readonly problem?: StreamProblem | undefined;
}

export const expired: Ending = {
  status: 'ended',
  reason: 'expired',
  problem: { code: 'limit_reached', message: 'The longest time of a session is over.', retryable: true },
};

export const shuttingDown: Ending = {
  status: 'failed',
  reason: 'shutting_down',
  problem: { code: 'overloaded', message: 'The service is shutting down.', retryable: true },
};

export const processEnded: Ending = {
  status: 'failed',
  reason: 'process_ended',
  problem: {
    code: 'source_unreachable',
    message: 'The process in which the session ran has ended. Start a new session.',
    retryable: true,
  },
};

export const accessEnded: Ending = {
  status: 'failed',
  reason: 'access_ended',
  problem: {
    code: 'source_forbidden',
    message: 'The user or the API key of the session no longer exists.',
    retryable: false,
  },
};

/** Not an end: the next key frame goes on. */
export const decoderLost: StreamProblem = {
  code: 'decode_failed',
  message: 'The decoder has ended and is started again; pictures are missing until the next key frame.',
  retryable: true,
};

export const undecodable = (message: string): Ending => ({
  status: 'failed',
  reason: 'decode_failed',
  problem: { code: 'decode_failed', message, retryable: false },
});

const lost = (message: string): Ending => ({
  status: 'failed',
  reason: 'source_lost',
  problem: { code: 'source_unreachable', message, retryable: true },
});

export const lostFor = (seconds: number): Ending => lost(`The source could not be reached for ${seconds} s.`);

/** Of a session whose source can never be read. */
export function failureOf(error: AppError | undefined): Ending {
  const message = error?.detail ?? 'The source could not be read.';
  if (error?.code === 'decode_failed') return undecodable(message);
  if (error?.code !== 'forbidden_address') return lost(message);
  return {
    status: 'failed',
    reason: 'source_forbidden',
    problem: { code: 'source_forbidden', message, retryable: false },
  };
}
