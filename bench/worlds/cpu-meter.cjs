/** Loaded before a program that is measured: tells its parent how much processor time it has used, threads and all. */
process.on('message', (question) => {
  if (question === 'cpu') process.send(process.cpuUsage());
});
process.channel?.unref();
// Where the comparison ends with a fault, no other process would stop it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
