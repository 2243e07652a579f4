// deploy/kubernetes.yaml and the Helm chart: valid by Kubernetes' schemas, their parts fit together, and both have the same content.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import Ajv from "ajv";
import yaml from "js-yaml";
import { has, run } from "./lib.js";
import { parse, schemaErrors } from "./manifests.js";

const chart = "deploy/helm/platen";
const build = process.env.BUILD || "build";
const version = fs.readFileSync("VERSION", "utf8").trim();
const alone = parse(fs.readFileSync("deploy/kubernetes.yaml", "utf8"));
const plain = [...alone, ...parse(fs.readFileSync("deploy/servicemonitor.yaml", "utf8"))];
const defaults = yaml.load(fs.readFileSync(`${chart}/values.yaml`, "utf8"));
const validValues = new Ajv().compile(JSON.parse(fs.readFileSync(`${chart}/values.schema.json`, "utf8")));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const merge = (base, over) => {
  if (!isObject(base) || !isObject(over)) return over;
  return { ...base, ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, key in base ? merge(base[key], value) : value])) };
};

// Helm is not part of Debian. Where it is not installed, the chart is rendered by what Helm is made of, Go's templates and Sprig.
const GO_LIBRARIES = "/usr/share/gocode";
const helm = has("helm");
const go = has("go") && fs.existsSync(`${GO_LIBRARIES}/src/github.com/Masterminds/sprig`) && fs.existsSync(`${GO_LIBRARIES}/src/sigs.k8s.io/yaml`);
const renders = { skip: !helm && !go && "neither helm nor golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev are installed" };
const renderer = path.resolve(build, "helm-render");
before(() => {
  if (helm || !go) return;
  const env = { ...process.env, GO111MODULE: "off", GOPATH: GO_LIBRARIES, GOFLAGS: "", GOCACHE: path.resolve(build, "go-cache") };
  const done = run("go", ["build", "-o", renderer, "tests/deploy/helm/render.go"], { env });
  assert.equal(done.status, 0, done.output);
});
function render(release, over = {}) {
  const values = merge(defaults, over);
  assert.ok(validValues(values), JSON.stringify(validValues.errors));
  const done = helm
    ? spawnSync("helm", ["template", release, chart, "--values", "-"], { input: yaml.dump(over), encoding: "utf8" })
    : spawnSync(renderer, { input: JSON.stringify({ chart, release, values }), encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return parse(done.stdout);
}
const everything = { ingress: { enabled: true }, serviceMonitor: { enabled: true } };
const of = (manifests, kind) => manifests.filter((each) => each.kind === kind);

// Every name leads somewhere, pods are confined, probes ask over HTTP, and the times fit.
function fitsTogether(manifests) {
  const find = (kind, name) => of(manifests, kind).find((each) => each.metadata.name === name);
  for (const { metadata: { name }, spec } of of(manifests, "Deployment")) {
    const { metadata, spec: pod } = spec.template;
    const [container] = pod.containers;
    const selects = (labels) => Object.entries(labels).every(([key, value]) => metadata.labels[key] === value);
    assert.ok(selects(spec.selector.matchLabels));
    assert.ok(selects(find("Service", name).spec.selector));
    assert.ok(selects(find("PodDisruptionBudget", name).spec.selector.matchLabels));
    assert.ok(selects(find("NetworkPolicy", name).spec.podSelector.matchLabels));
    const scaler = find("HorizontalPodAutoscaler", name);
    // With a fixed number every new version of the manifests would undo what the autoscaler has done.
    assert.equal(spec.replicas === undefined, scaler !== undefined, "either replicas or an autoscaler");
    if (scaler) {
      assert.equal(scaler.spec.scaleTargetRef.name, name);
      assert.ok(container.resources.requests.cpu, "the autoscaler counts from it");
    }
    assert.equal(container.image, `platen:${version}`);
    for (const probe of ["readinessProbe", "livenessProbe", "startupProbe"]) assert.deepEqual(container[probe].httpGet, { path: "/api/health", port: "http" });
    const sleeps = Number(container.lifecycle.preStop.exec.command[1]);
    assert.ok(container.securityContext.readOnlyRootFilesystem && pod.securityContext.runAsNonRoot);
    // What the container is told, the program takes.
    const env = Object.fromEntries(container.env.map((each) => [each.name, each.value]).filter(([key]) => !/_(API_KEY_FILE|OBJECTS)$/.test(key)));
    const done = run(`${build}/${container.args[0]}`, ["config", ...container.args.slice(2)], { env });
    assert.equal(done.status, 0, done.output);
    for (const each of Object.keys(env)) assert.match(done.output, new RegExp(`# ${each}$`, "m"), `${each} is an option`);
    const seconds = (option) => {
      const [, number, unit] = new RegExp(`^${option} = (\\d+)(ms|s|m|h)\\b`, "m").exec(done.output);
      return Number(number) * { ms: 0.001, s: 1, m: 60, h: 3600 }[unit];
    };
    assert.ok(pod.terminationGracePeriodSeconds > sleeps + seconds("drain-delay") + seconds("drain-timeout"), "preStop, drain-delay and drain-timeout");
    assert.ok(seconds("idle-timeout") > 60, "ingress-nginx ends an idle connection before the service does");
  }
  const hosts = {};
  for (const { host, http } of of(manifests, "Ingress").flatMap((each) => each.spec.rules)) (hosts[host] ??= []).push(...http.paths);
  for (const [host, paths] of Object.entries(hosts)) {
    for (const { path: where, backend } of paths) assert.ok(find("Service", backend.service.name), where);
    assert.equal(new Set(paths.map((each) => each.path)).size, paths.length, `${host}: a path belongs to one Ingress`);
    assert.ok(paths.some((each) => each.path === "/"), host);
    const closed = find("Service", paths.find((each) => each.path === "/metrics").backend.service.name);
    assert.equal(closed.spec.selector, undefined, "/metrics leads to a service without pods");
  }
}

// The formula of docs/limits.md, in MiB; what is not given has the program's default.
const MIB = { K: 1 / 1024, M: 1, G: 1024 };
const mebibytes = (text) => {
  const [, number, unit] = /^([\d.]+)([KMG])(?:iB?)?$/i.exec(text); // 1GiB, 1Gi, 1G or 1g, which Docker and systemd count in 1024 too
  return Number(number) * MIB[unit.toUpperCase()];
};
const optionsOf = (program, env) => {
  const shown = run(`${build}/${program}`, ["config"], { env }).output;
  const option = (name) => new RegExp(`^${name} = (\\S+)`, "m").exec(shown)[1];
  return { option, size: (name) => mebibytes(option(name)) };
};
const rendererOf = ({ size }) => size("max-memory") + size("glyph-cache") + size("max-body") + 64;
function worst(program, env) {
  const options = optionsOf(program, env), { option, size } = options;
  const worker = program === "platen" ? rendererOf(options) : 16;
  return Number(option("workers")) * worker + size("max-body-memory") + Number(option("max-connections")) * mebibytes("768KiB") + 40;
}
test("one page has the formula of memory, and the others refer to it", () => {
  const page = (name) => fs.readFileSync(`docs/${name}.md`, "utf8");
  assert.equal(page("limits").match(/^Platen: +workers × renderer +\+ max-body-memory \+ max-connections × 768 KiB \+ 40 MiB$/gm).length, 1);
  assert.match(page("limits"), /^Hygro: +workers × 16 MiB +\+ max-body-memory \+ max-connections × 768 KiB \+ 40 MiB$/m);
  assert.match(page("limits"), /^renderer: max-memory \+ glyph-cache \+ max-body \+ 64 MiB$/m);
  for (const name of ["operations", "server", "scale", "performance"]) assert.doesNotMatch(page(name), /workers`? (×|times)/, name);
  for (const name of ["operations", "server"]) assert.match(page(name), /limits\.md#memory-of-a-service/, name);
});
test("Platen and Hygro stay below the memory limits of kubernetes.yaml, the chart and compose.yaml at worst; docs/limits.md has the sums", () => {
  const table = fs.readFileSync("docs/limits.md", "utf8");
  const fits = (program, env, limit, where) => {
    const sum = worst(program, env);
    assert.ok(sum < mebibytes(limit), `${where}: ${program} uses up to ${sum} MiB of ${limit}`);
    assert.ok(table.includes(`| ${sum.toLocaleString("en")} MiB |`), `${sum}`);
  };
  for (const { spec } of of(alone, "Deployment")) {
    const [container] = spec.template.spec.containers;
    fits(container.name, Object.fromEntries(container.env.map((each) => [each.name, each.value])), container.resources.limits.memory, "kubernetes.yaml");
  }
  const compose = yaml.load(fs.readFileSync("deploy/compose.yaml", "utf8")).services;
  for (const name of ["platen", "hygro"]) {
    fits(name, defaults[name].env, defaults[name].resources.limits.memory, "values.yaml");
    fits(name, compose[name].environment, compose[name].mem_limit, "compose.yaml");
  }
  fits("hygro", { HYGRO_WORKERS: "2" }, /^MemoryMax=(\S+)$/m.exec(fs.readFileSync("deploy/hygro.service.in", "utf8"))[1], "hygro.service");
});
test("docs/limits.md: what virtual printers add, and what workers on RabbitMQ use at worst", () => {
  const page = fs.readFileSync("docs/limits.md", "utf8"), options = optionsOf("platen", {}), { size } = options;
  assert.match(page, /^printers: printer-memory \+ 512 MiB \+ printers × \(renderer \+ max-stored \+ 2 × printer-bytes \+ 288 MiB\)$/m);
  const each = rendererOf(options) + size("max-stored") + 2 * size("printer-bytes") + 288;
  assert.ok(page.includes(`with the defaults ${(size("printer-memory") + 512 + each).toLocaleString("en")} MiB for one, and ${each} MiB for each further one`));
  const compose = yaml.load(fs.readFileSync("deploy/broker/compose.yaml", "utf8")).services.work;
  const [pod] = of(parse(fs.readFileSync("deploy/broker/kubernetes.yaml", "utf8")), "Deployment")[0].spec.template.spec.containers;
  for (const [args, limit] of [[compose.command, compose.mem_limit], [pod.args, pod.resources.limits.memory]]) {
    const given = (name) => args[args.indexOf(`--${name}`) + 1];
    const sum = Number(given("workers")) * rendererOf(options) + mebibytes(given("max-body-memory")) + Number(given("max-connections")) * 0.75 + 40;
    assert.ok(sum < mebibytes(limit) && page.includes(`| ${sum} MiB |`), `${sum} of ${limit}`);
  }
});
test("kubernetes.yaml can be applied without the Prometheus operator", () => {
  for (const each of alone) assert.doesNotMatch(each.apiVersion, /monitoring\.coreos\.com/, each.kind);
  assert.equal(of(plain, "ServiceMonitor").length, 2);
});
test("kubernetes.yaml and servicemonitor.yaml are valid by the schemas of Kubernetes and of the Prometheus operator", async () => {
  assert.deepEqual(await schemaErrors(plain), []);
});
test("the check finds an unknown field, a wrong type and a missing field", async () => {
  const broken = (kind, change) => {
    const copy = structuredClone(of(plain, kind)[0]);
    change(copy.spec, copy);
    return copy;
  };
  const errors = await schemaErrors([
    broken("Deployment", (spec) => { spec.template.spec.containers[0].readinesProbe = {}; }),
    broken("PodDisruptionBudget", (spec) => { spec.maxUnavailable = { one: 1 }; }),
    broken("HorizontalPodAutoscaler", (spec) => { delete spec.maxReplicas; }),
    broken("NetworkPolicy", (spec) => { spec.policyTypes = "Ingress"; }),
    broken("ServiceMonitor", (spec) => { spec.endpoints[0].intervall = "15s"; }),
    broken("Ingress", (spec) => { spec.rules[0].http.paths[0].backend.service.port = { nmae: "http" }; }),
  ]);
  for (const kind of ["Deployment", "PodDisruptionBudget", "HorizontalPodAutoscaler", "NetworkPolicy", "ServiceMonitor", "Ingress"])
    assert.equal(errors.filter((each) => each.startsWith(kind)).length, 1, `${kind} in ${errors.join("\n")}`);
});
test("kubernetes.yaml: its parts fit together", () => {
  assert.deepEqual(of(plain, "Deployment").map((each) => each.metadata.name), ["platen", "hygro"]);
  fitsTogether(plain);
});

test("the chart's values follow their schema, and misspelled ones do not", () => {
  assert.ok(validValues(defaults), JSON.stringify(validValues.errors));
  for (const wrong of [{ ingres: { enabled: true } }, { platen: { replica: 3 } }, { platen: { env: { HYGRO_WORKERS: "1" } } }, { terminationGracePeriodSeconds: 10 }, { image: { pullPolicy: "Sometimes" } }])
    assert.ok(!validValues(merge(defaults, wrong)), JSON.stringify(wrong));
});
test("the chart has the version of meson.build", () => {
  const { version: own, appVersion } = yaml.load(fs.readFileSync(`${chart}/Chart.yaml`, "utf8"));
  assert.deepEqual([own, appVersion], [version, version]);
});
test("every value of the chart is in docs/operations.md", () => {
  const text = fs.readFileSync("docs/operations.md", "utf8");
  for (const [name, value] of Object.entries(defaults)) {
    for (const inner of isObject(value) ? Object.keys(value).map((key) => (["platen", "hygro"].includes(name) ? key : `${name}.${key}`)) : [name])
      assert.ok(text.includes(`\`${inner}\``) || text.includes(`.${inner}\``), inner);
  }
});
test("the chart makes what kubernetes.yaml has", renders, () => {
  const own = (labels) => Object.fromEntries(Object.entries(labels).filter(([key]) => !/^(app\.kubernetes\.io|helm\.sh)\//.test(key)));
  const normal = (manifests) => Object.fromEntries(manifests.map((manifest) => {
    const copy = structuredClone(manifest);
    copy.metadata.labels = undefined; // some of kubernetes.yaml's objects have none
    if (copy.spec.template) {
      copy.spec.template.metadata.labels = own(copy.spec.template.metadata.labels);
      const [container] = copy.spec.template.spec.containers;
      container.env.sort((a, b) => a.name.localeCompare(b.name));
      delete container.imagePullPolicy; // the chart writes the default
    }
    if (copy.kind === "Service" && copy.spec.type === "ClusterIP") delete copy.spec.type; // here too
    return [`${copy.kind} ${copy.metadata.name}`, JSON.parse(JSON.stringify(copy))];
  }));
  const rendered = JSON.parse(JSON.stringify(render("x7x", everything)).replaceAll("x7x-", ""));
  assert.deepEqual(normal(rendered), normal(plain));
});
for (const [what, release, over] of [
  ["with its defaults", "platen", {}],
  ["with everything on", "labels", { ...everything, networkPolicy: { platenEgress: [{ to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ port: 9100 }] }] }, platen: { apiKeySecret: "keys", objects: { configMap: { name: "label-objects" } }, podAnnotations: { a: "b" }, nodeSelector: { disk: "fast" }, tolerations: [{ key: "only", operator: "Exists" }] }, image: { pullSecrets: ["registry"] }, serviceMonitor: { enabled: true, keySecret: "metrics-key", labels: { release: "prometheus" } } }],
  ["of Hygro alone", "grain", { ...everything, platen: { enabled: false } }],
  ["without autoscaling, Hygro and TLS", "a-name", { ...everything, platen: { autoscaling: { enabled: false } }, hygro: { enabled: false }, ingress: { enabled: true, tlsSecret: "" } }],
]) {
  test(`the chart ${what} is valid and fits together`, renders, async () => {
    const manifests = render(release, over);
    assert.ok(manifests.length >= 5);
    assert.deepEqual(await schemaErrors(manifests), []);
    fitsTogether(manifests);
    const names = manifests.map((each) => `${each.kind} ${each.metadata.name}`);
    assert.equal(new Set(names).size, names.length);
    const keys = manifests.flatMap((each) => each.spec.template?.spec.volumes ?? []);
    assert.equal(keys.length, over.platen?.apiKeySecret ? 2 : 0); // and the objects
    if (!over.platen?.apiKeySecret) return;
    const { volumeMounts, env } = of(manifests, "Deployment")[0].spec.template.spec.containers[0];
    assert.equal(env.find((each) => each.name === "PLATEN_OBJECTS").value, volumeMounts.find((each) => each.name === "objects").mountPath);
    assert.deepEqual(keys.find((each) => each.name === "objects").configMap, { name: "label-objects" });
    const bearer = (name) => ({ type: "Bearer", credentials: { name, key: "key" } });
    assert.deepEqual(of(manifests, "ServiceMonitor").map((each) => each.spec.endpoints[0].authorization), [bearer("metrics-key"), undefined], "Hygro has no keys, and is told none");
    assert.deepEqual(of(manifests, "NetworkPolicy").map((each) => each.spec.egress), [over.networkPolicy.platenEgress, []]);
  });
}
const envOf = (manifest) => Object.fromEntries(manifest.spec.template.spec.containers[0].env.map((each) => [each.name, each.value]));
test("the chart: no namespace in the list is nobody, not everybody", renders, () => {
  for (const { spec } of of(render("a", { networkPolicy: { fromNamespaces: [] } }), "NetworkPolicy")) assert.deepEqual([spec.ingress, spec.policyTypes], [[], ["Ingress", "Egress"]]);
});
test("the chart: numbers of the values file are written whole", renders, () => {
  const [platen] = of(render("a", { platen: { env: { PLATEN_MAX_DOTS: 100000000, PLATEN_MAX_CONNECTIONS: 64, PLATEN_RATE_LIMIT: 2.5 } } }), "Deployment").map(envOf);
  assert.deepEqual([platen.PLATEN_MAX_DOTS, platen.PLATEN_MAX_CONNECTIONS, platen.PLATEN_RATE_LIMIT], ["100000000", "64", "2.5"]);
});
test("the chart: the grace period follows what env says of draining", renders, () => {
  const grace = (over) => of(render("a", over), "Deployment").map((each) => each.spec.template.spec.terminationGracePeriodSeconds);
  assert.deepEqual(grace({ platen: { env: { PLATEN_DRAIN_TIMEOUT: "2m", PLATEN_DRAIN_DELAY: "4500ms" } } }), [133, 40]);
  assert.deepEqual(grace({ preStopSeconds: 40, platen: { env: { PLATEN_DRAIN_TIMEOUT: 1500, PLATEN_DRAIN_DELAY: 0 } } }), [47, 77]);
  assert.deepEqual(grace({ terminationGracePeriodSeconds: 300, hygro: { env: { HYGRO_DRAIN_TIMEOUT: "1h" } } }), [300, 3610]);
});
test("the chart: each service has a key of its own for Prometheus", renders, () => {
  const over = { serviceMonitor: { enabled: true, keySecret: "both" }, platen: { apiKeySecret: "keys" }, hygro: { apiKeySecret: "grain-keys", metricsKeySecret: "grain-metrics" } };
  assert.deepEqual(of(render("a", over), "ServiceMonitor").map((each) => each.spec.endpoints[0].authorization.credentials.name), ["both", "grain-metrics"]);
});
