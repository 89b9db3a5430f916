/** A reporter for node:test that prints the files in which a test failed, a line each. */
import type { TestEvent } from 'node:test/reporters';

// oxlint-disable-next-line import/no-default-export -- node:test takes a reporter from the default export
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.file === undefined || seen.has(data.file)) continue;
    seen.add(data.file);
    yield `${data.file}\n`;
  }
}
