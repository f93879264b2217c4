import { join } from 'node:path';
import { describeFolder } from './one-file';

describeFolder(join(__dirname, '../domain'), ['forecast.test.ts', 'life.test.ts']);
