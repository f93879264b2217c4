import { describeConfig, loadConfig } from '../config';
import { print, printTable } from './print';

/** What is in force, secrets masked. */
export function runConfigCheck(): void {
  const config = loadConfig(process.env);
  printTable(describeConfig(config, process.env).map(({ name, value, from }) => [name, value, from]));
  print('the configuration is valid');
}
