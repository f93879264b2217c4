import { pino } from 'pino';
import { REDACTED } from '../src/platform/log';

test.each([
  ['of a line', { taskToken: 'dGFzay10b2tlbg==' }],
  ["of an activity's attributes", { activity: { taskToken: 'dGFzay10b2tlbg==' } }],
  ['two levels down', { sdk: { activity: { taskToken: 'dGFzay10b2tlbg==' } } }],
  ['as bytes', { taskToken: Buffer.from('task-token') }],
])('no line of the log has a task token %s, with which an outsider could complete an activity', (_where, fields) => {
  const lines: string[] = [];
  pino({ redact: REDACTED }, { write: (line: string) => void lines.push(line) }).warn(fields, 'a line');
  expect(lines).toEqual([expect.stringContaining('[masked]')]);
  expect(lines[0]).not.toMatch(/dGFzay10b2tlbg|\[116,97|task-token/);
});
