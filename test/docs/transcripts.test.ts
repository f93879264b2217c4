import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyCommand } from '../cli/every-command';
import { transcriptsOn } from '../transcripts/page';
import { makeStable } from '../transcripts/stable';

const PAGE = readFileSync(join(__dirname, '../../docs/reference/transcripts.md'), 'utf8');

test('docs/reference/transcripts.md has every command, and no other', () => {
  expect(transcriptsOn(PAGE).map(({ command }) => command)).toEqual(everyCommand());
});

test('each transcript has a command and its output', () => {
  for (const { command, text } of transcriptsOn(PAGE)) {
    const [typed = '', printed = ''] = text.split('\n');
    expect([command, `${typed} `.startsWith(`$ node bin/dueday.js ${command} `), printed.trim() !== '']).toEqual([
      command,
      true,
      true,
    ]);
  }
});

test('every command on docs/reference/transcripts.md exists and has reached its server', () => {
  expect(PAGE).not.toMatch(/unknown (command|option)|cannot be reached|at .*\.js:\d+/);
});

describe('what differs from run to run', () => {
  const anchors = { begin: Date.parse('2027-01-31T08:00:00.000Z'), due: Date.parse('2027-01-31T08:40:00.000Z') };
  const stable = (text: string) => makeStable(text, anchors);

  test('ids in transcripts are replaced by numbers in order of appearance, equal ids by equal numbers', () => {
    const [one, other] = ['3f0e1a2b-4c5d-4e6f-8a9b-0c1d2e3f4a5b', 'a1b2c3d4-0000-4000-8000-999999999999'];
    expect(stable(`pay_${one} aut_${other} pay_${one}`)).toBe(
      'pay_00000000-0000-0000-0000-000000000001 aut_00000000-0000-0000-0000-000000000002 pay_00000000-0000-0000-0000-000000000001',
    );
  });

  test('in transcripts, instants on a full minute stay, and all others, which depend on the run, become fixed ones', () => {
    expect(stable('2027-02-28T08:40:00.000Z')).toBe('2027-02-28T08:40:00.000Z');
    expect(stable('2027-01-31T08:07:31.206Z')).toBe('2027-01-31T08:00:04.120Z');
    expect(stable('2027-01-31T09:41:12.777Z')).toBe('2027-01-31T08:40:04.120Z');
    expect(stable('2027-02-03T08:51:02.001Z')).toBe('2027-02-03T08:00:04.120Z');
  });
});
