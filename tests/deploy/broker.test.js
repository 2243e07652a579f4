// deploy/broker: the examples for workers on RabbitMQ fit together and to the programs. definitions.json is tried by the suite 47-broker.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import yaml from "js-yaml";
import { run } from "./lib.js";
import { parse, schemaErrors } from "./manifests.js";

const build = process.env.BUILD || "build";
const version = fs.readFileSync("VERSION", "utf8").trim();
const dockerfile = fs.readFileSync("deploy/Dockerfile", "utf8");
const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)].map(([, from, name]) => ({ from, name }));
const compose = yaml.load(fs.readFileSync("deploy/broker/compose.yaml", "utf8"));
const manifests = parse(fs.readFileSync("deploy/broker/kubernetes.yaml", "utf8"));
const find = (kind) => manifests.find((each) => each.kind === kind);
const worker = (args) => {
  assert.deepEqual(args.slice(0, 2), ["platen", "work"]);
  const help = run(`${build}/platen`, ["work", "--help"]).output;
  for (const flag of args.filter((each) => each.startsWith("--"))) assert.match(help, new RegExp(`^  ${flag}\\b`, "m"), `${flag} is an option of platen work`);
  assert.match(help, /PLATEN_WORK_BROKER/);
};

test("the image of workers has platen-broker and its library; that of the services has neither: it once had no broker at all", () => {
  const at = dockerfile.indexOf("FROM platen AS work");
  const work = dockerfile.slice(at, dockerfile.indexOf("\nFROM ", at + 1));
  assert.match(work, /librabbitmq4/);
  assert.match(work, /COPY --from=build .*platen-broker \/usr\/local\/bin\//);
  assert.doesNotMatch(dockerfile.slice(dockerfile.indexOf("FROM debian:12-slim"), at), /rabbitmq|platen-broker/);
  assert.match(dockerfile, /ninja -C build .*\bplaten-broker\b/);
  assert.deepEqual(stages.at(-1), { from: "platen", name: undefined }, "without --target it is the services' image");
});
test("compose: three nodes of one cluster, workers that know all of them", () => {
  const { work, ...nodes } = compose.services;
  assert.ok(stages.some((each) => each.name === work.build.target));
  worker(work.command);
  assert.deepEqual(Object.keys(work.depends_on), Object.keys(nodes));
  const named = fs.readFileSync("deploy/broker/rabbitmq.conf", "utf8").match(/(?<=rabbit@)\S+/g);
  assert.deepEqual(named, Object.keys(nodes));
  for (const [name, node] of Object.entries(nodes)) {
    assert.equal(node.hostname, name);
    assert.ok(work.environment.PLATEN_WORK_BROKER.includes(`@${name}:5672`));
    for (const volume of node.volumes.map((each) => each.split(":")[0])) assert.ok(volume.startsWith("./") ? fs.existsSync(`deploy/broker/${volume}`) : volume in compose.volumes, volume);
  }
});
test("Kubernetes: the schemas take it, and its names lead somewhere", async () => {
  // The schemas at hand have no KEDA.
  assert.deepEqual(await schemaErrors(manifests.filter((each) => !each.apiVersion.startsWith("keda.sh/"))), []);
  const [{ spec }, secret, scaled, access] = ["Deployment", "Secret", "ScaledObject", "TriggerAuthentication"].map(find);
  const [container] = spec.template.spec.containers;
  assert.equal(container.image, `platen-work:${version}`);
  worker(container.args);
  assert.equal(scaled.spec.scaleTargetRef.name, find("Deployment").metadata.name);
  assert.equal(spec.replicas, undefined, "the scaler says how many");
  for (const trigger of scaled.spec.triggers) assert.equal(trigger.authenticationRef.name, access.metadata.name);
  for (const { name, key } of [...access.spec.secretTargetRef, ...container.env.map((each) => each.valueFrom.secretKeyRef)]) {
    assert.equal(name, secret.metadata.name);
    assert.ok(key in secret.stringData, key);
  }
});
test("alerts and the dashboard use metrics that workers have, and queues that --declare makes", () => {
  const source = fs.readFileSync("apps/broker/work_command.c", "utf8"), rules = yaml.load(fs.readFileSync("deploy/broker/alerts.yaml", "utf8")).groups.flatMap((each) => each.rules);
  assert.deepEqual(rules.map((each) => each.alert).length, new Set(rules.map((each) => each.alert)).size);
  const queues = JSON.parse(fs.readFileSync("deploy/broker/definitions.json", "utf8")).queues.map((each) => each.name);
  for (const { expr } of rules) {
    for (const [, metric] of expr.matchAll(/\bplaten_(\w+)/g)) assert.ok(source.includes(`"${metric}"`), metric);
    for (const [, queue] of expr.matchAll(/queue="([^"]+)"/g)) assert.ok(queues.includes(queue), queue);
  }
  const own = [...fs.readFileSync("deploy/broker/grafana.json", "utf8").matchAll(/\bplaten_(jobs\w+?_total)\b/g)].map(([, metric]) => metric);
  assert.ok(own.length > 2);
  for (const metric of own) assert.ok(source.includes(`"${metric}"`), metric);
});
test("a job that was begun is finished: the examples wait for longer than --job-timeout", () => {
  const minutes = Number(/--job-timeout.*\n.*?\(?default:? ?(\d+)m/.exec(run(`${build}/platen`, ["work", "--help"]).output)?.[1] ?? 10);
  assert.ok(parseInt(compose.services.work.stop_grace_period, 10) > minutes);
  assert.match(compose.services.work.stop_grace_period, /m$/);
  assert.ok(find("Deployment").spec.template.spec.terminationGracePeriodSeconds > minutes * 60);
});
