/** Preloaded into each measured program: answers its parent's question how much processor time all its threads have used. */
process.on('message', (question) => {
  if (question === 'cpu') process.send(process.cpuUsage());
});
process.channel?.unref();
// If the benchmark crashes, nothing else stops this process.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
