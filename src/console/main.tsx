import { render } from 'preact';
import { App } from './app';
import { runClock } from './format';
import { watchAttendance } from './session';
import { applyTheme } from './theme';

applyTheme();
watchAttendance(window);
runClock();
const root = document.getElementById('console');
if (root === null) throw new Error('index.html has no element #console');
render(<App />, root);
