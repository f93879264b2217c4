import { loadConfig, metricsAddress } from '../../src/config';

const addressOf = (serves: boolean, env: Record<string, string> = {}) => metricsAddress(serves, loadConfig(env));

test("with an admin API, metrics are on the API's own listener unless another host or port is set", () => {
  expect(addressOf(true)).toBeNull();
  expect(addressOf(true, { ADMIN_HOST: '10.0.0.1', METRICS_HOST: '10.0.0.1', METRICS_PORT: '8080' })).toBeNull();
  expect(addressOf(true, { METRICS_PORT: '9000' })).toEqual({ host: '127.0.0.1', port: 9000, mayMove: false });
  expect(addressOf(true, { ADMIN_HOST: '10.0.0.1', METRICS_HOST: '127.0.0.1' })).toEqual({
    host: '127.0.0.1',
    port: 8080,
    mayMove: false,
  });
});

test("a lone worker uses 127.0.0.1:9464 or the next port, whatever the API's port, unless one is set", () => {
  const env = { ADMIN_HOST: '0.0.0.0', ADMIN_PORT: '80' };
  expect(addressOf(false, env)).toEqual({ host: '127.0.0.1', port: 9464, mayMove: true });
  expect(addressOf(false, { ...env, METRICS_HOST: '10.0.0.2' })).toEqual({
    host: '10.0.0.2',
    port: 9464,
    mayMove: true,
  });
  expect(addressOf(false, { METRICS_PORT: '9500' })).toEqual({ host: '127.0.0.1', port: 9500, mayMove: false });
});
