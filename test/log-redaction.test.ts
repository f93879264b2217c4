import { pino } from 'pino';
import { REDACTED } from '../src/platform/log';

test.each([
  ['at the top level of a line', { taskToken: 'dGFzay10b2tlbg==' }],
  ["among an activity's attributes", { activity: { taskToken: 'dGFzay10b2tlbg==' } }],
  ['two levels down', { sdk: { activity: { taskToken: 'dGFzay10b2tlbg==' } } }],
  ['as bytes', { taskToken: Buffer.from('task-token') }],
])('the log masks a task token %s, because an outsider could complete an activity with it', (_where, fields) => {
  const lines: string[] = [];
  pino({ redact: REDACTED }, { write: (line: string) => void lines.push(line) }).warn(fields, 'a line');
  expect(lines).toEqual([expect.stringContaining('[masked]')]);
  expect(lines[0]).not.toMatch(/dGFzay10b2tlbg|\[116,97|task-token/);
});
