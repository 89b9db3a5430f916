/** The thread of {@link readPdf}: bytes in, text out. */
import { parentPort, workerData } from 'node:worker_threads';
import { extractText } from 'unpdf';

try {
  const { text } = await extractText(workerData as Uint8Array, { mergePages: false });
  parentPort?.postMessage({ text: text.join('\n\n') });
} catch (error) {
  parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
}
