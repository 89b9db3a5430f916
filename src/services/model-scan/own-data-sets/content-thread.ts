/** The thread of `read-content.ts`. What makes content unusable is a result, since errors lose their kind on the way. */
import { serveTask } from '#base/processes/serve-task.ts';
import { casesOf, type ContentTask, UnusableContent } from './cases-of.ts';

await serveTask((task: ContentTask) => {
  try {
    return casesOf(task);
  } catch (error) {
    if (error instanceof UnusableContent) return { unusable: error.message };
    throw error;
  }
});
