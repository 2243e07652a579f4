// Shows the state of the service on its page.
const state = document.getElementById("state");
const answer = await fetch("api/health");
const health = (await answer.json()) as { ok: boolean; version: string };
if (state) state.textContent = health.ok ? `up, version ${health.version}` : "stopping";
