import { join } from 'node:path';
import { describeFiles, describeFolder } from './one-file';

/** The faults that need no process to be killed. */
const IN_PROCESS = ['clock', 'crashes', 'lost-and-late', 'pending', 'refused', 'resolving', 'two-workers'];

describeFiles(
  join(__dirname, '../faults'),
  IN_PROCESS.map((name) => `${name}.test.ts`),
);
describeFolder(join(__dirname, '../activities'), ['money-safety.property.test.ts']);
