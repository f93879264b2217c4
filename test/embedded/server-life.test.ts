import { startAll } from '../../src/embedded/server-life';

test('a server that fails to stop is reported after all others have been stopped', async () => {
  const stopped: string[] = [];
  const all = await startAll(async (stops) => {
    stops.push(async () => stopped.push('first'));
    stops.push(() => Promise.reject(new Error('stuck')));
    stops.push(async () => stopped.push('last'));
    return {};
  });
  await expect(all.stop()).rejects.toThrow('stuck');
  expect(stopped).toEqual(['last', 'first']);
});
