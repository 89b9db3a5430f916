/** A detector of the tenant’s own behind HTTP: frames as PNG go out, probabilities come back. */
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { readLimited, type Outbound } from '#base/net/outbound.ts';
import { startDeadline } from '#llm/deadline.ts';
import type { FrameDetector } from './detector.ts';
import { pngOf } from './png.ts';

const answerSchema = z.object({
  frames: z.array(z.object({ probs: z.record(z.string(), z.number().min(0).max(1)) })),
});
const limitBytes = 1024 * 1024;
const timeoutMs = 10_000;

const wrong = (url: string, why: string) =>
  new AppError(502, 'detector_failed', `The detector at ${new URL(url).origin} ${why}`);

export const createRemote = (
  outbound: Outbound,
  url: string,
  categories: readonly string[],
): FrameDetector => ({
  name: 'http',
  covering: categories.map((category) => ({ detector: 'http', level: 'model', category })),
  async detect(pictures, signal) {
    const body = JSON.stringify({
      frames: pictures.map((picture) => ({
        timestamp_seconds: picture.seconds,
        png_b64: pngOf(picture).toString('base64'),
      })),
      categories,
    });
    // Let go once the answer is there: `AbortSignal.timeout` would be kept until its time is over.
    using deadline = startDeadline(timeoutMs, signal);
    const answer = await outbound
      .request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: deadline.signal,
      })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        const isRefused = error instanceof AppError && !deadline.signal.aborted;
        throw isRefused ? error : wrong(url, 'did not answer in time.');
      });
    const text = await readLimited(answer.body, limitBytes);
    if (answer.status !== 200) throw wrong(url, `answered with status ${answer.status}.`);
    const read = answerSchema.safeParse(parsed(text));
    if (!read.success || read.data.frames.length !== pictures.length)
      throw wrong(url, 'must answer {"frames": [{"probs": {…}}, …]}, one for each frame.');
    const known = new Set(categories);
    return read.data.frames.map(({ probs }) =>
      Object.fromEntries(Object.entries(probs).filter(([category]) => known.has(category))),
    );
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
