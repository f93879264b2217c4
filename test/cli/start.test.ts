import { execFileSync } from 'node:child_process';
import { exportLines } from '../../src/cli/start';

test('start prints lines from which a shell gets the address and the key of the admin API', () => {
  const lines = exportLines('http://127.0.0.1:8080', 'dd_key-1');
  const script = [...lines, `node -p 'process.env.DUEDAY_URL + " " + process.env.DUEDAY_KEY'`].join('\n');
  expect(execFileSync('sh', ['-c', script]).toString().trim()).toBe('http://127.0.0.1:8080 dd_key-1');
});
