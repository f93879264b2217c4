import { join } from 'node:path';
import { isPermitted, type Locked, readLock, unfixed } from './licences';
import { narrowed, readVulnerabilities } from './npm';

const ROOT = join(__dirname, '..', '..');

describe('licences', () => {
  test.each([
    ['MIT', true],
    ['Apache-2.0 AND MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['MPL-2.0', false],
    ['SEE LICENSE IN LICENSE', false],
    [null, false],
  ])('%s: %p', (licence, permitted) => expect(isPermitted(licence)).toBe(permitted));

  test('of every package that runs are known and permitted', () => {
    const running = readLock(ROOT).filter(({ isDev }) => !isDev);
    expect(running.length).toBeGreaterThan(200);
    expect(running.filter(({ licence }) => !isPermitted(licence)).map(({ folder }) => folder)).toEqual([]);
  });
});

describe('where packages come from', () => {
  const locked: Locked = {
    ...{ folder: 'node_modules/a', version: '1.0.0', licence: 'MIT', isDev: false },
    integrity: `sha512-${'a'.repeat(86)}==`,
    resolved: null,
  };

  test('is the registry, with a checksum, for every one', () => {
    expect(unfixed(readLock(ROOT)).map(({ folder }) => folder)).toEqual([]);
  });

  test.each<[string, Partial<Locked>]>([
    ['no checksum', { integrity: null }],
    ['a weak checksum', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['a repository', { resolved: 'git+ssh://git@github.com/someone/a.git#0123' }],
    ['another host', { resolved: 'https://packages.evil.example/a.tgz' }],
  ])('%s is told', (_what, change) => expect(unfixed([{ ...locked, ...change }])).toHaveLength(1));
});

describe('the bill of materials', () => {
  const sbom = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'ours@1.0.0' } },
    components: [{ 'bom-ref': 'a@1.0.0' }, { 'bom-ref': 'b@1.0.0' }],
    dependencies: [
      { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: [] },
      { ref: 'b@1.0.0', dependsOn: ['a@1.0.0'] },
    ],
  };

  test('tells of the packages that run, and of what needs them', () => {
    expect(narrowed(sbom, new Set(['a@1.0.0']))).toEqual({
      ...sbom,
      components: [{ 'bom-ref': 'a@1.0.0' }],
      dependencies: [
        { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0'] },
        { ref: 'a@1.0.0', dependsOn: [] },
      ],
    });
  });

  test('that lacks one is none', () => {
    expect(() => narrowed(sbom, new Set(['a@1.0.0', 'c@1.0.0']))).toThrow('npm sbom lacks c@1.0.0');
  });
});

describe('vulnerabilities', () => {
  const counted = (counts: object) => JSON.stringify({ metadata: { vulnerabilities: counts } });
  const NONE = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };

  test('are counted by how severe they are', () => {
    expect(readVulnerabilities(counted(NONE))).toEqual({ total: 0, text: '0' });
    expect(readVulnerabilities(counted({ ...NONE, high: 2, low: 1, total: 3 }))).toEqual({
      total: 3,
      text: '3 (2 high, 1 low)',
    });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'npm error audit endpoint returned an error'],
    ['a fault', '{"error":{"code":"ENOTFOUND","summary":"request failed"}}'],
    ['a fault beside counts', JSON.stringify({ error: {}, metadata: { vulnerabilities: NONE } })],
    ['no counts', '{"metadata":{}}'],
    ['counts without a sum', '{"metadata":{"vulnerabilities":{"high":0}}}'],
  ])('were not asked where npm says %s', (_what, said) => expect(readVulnerabilities(said)).toBeNull());
});
