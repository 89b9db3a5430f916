/** The thread of `prove-file.ts`, which reads a file of tasks. */
import { serveTask } from '#base/processes/serve-task.ts';
import { expand } from './expand.ts';
import { readTaskFile } from './load.ts';

await serveTask((content: string) => expand(readTaskFile(content, "'content'")));
