{{/* The name of a service's objects: the release and the service, or the release alone where both are the same. */}}
{{- define "platen.name" -}}
{{- if eq .root.Release.Name .service }}{{ .service }}{{ else }}{{ printf "%s-%s" .root.Release.Name .service | trunc 63 }}{{ end }}
{{- end }}

{{/* The labels of every object; "app" is what selectors look for. */}}
{{- define "platen.labels" -}}
app: {{ include "platen.name" . }}
app.kubernetes.io/name: {{ .service }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* A value as text. Numbers of a values file are floating-point numbers, which templates write as 1e+08. */}}
{{- define "platen.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{/* A time of the services' options in whole seconds, rounded up; without a unit it is milliseconds. */}}
{{- define "platen.seconds" -}}
{{- $number := regexFind "^[0-9]+" . | int64 -}}
{{- $unit := regexFind "[a-z]*$" . -}}
{{- if eq $unit "h" }}{{ mul $number 3600 }}{{ else if eq $unit "m" }}{{ mul $number 60 }}{{ else if eq $unit "s" }}{{ $number }}{{ else }}{{ div (add $number 999) 1000 }}{{ end }}
{{- end }}

{{/* What was asked for, but no less than preStop, --drain-delay and --drain-timeout together, and five seconds. */}}
{{- define "platen.gracePeriod" -}}
{{- $env := (index .root.Values .service).env -}}
{{- $delayKey := printf "%s_DRAIN_DELAY" (upper .service) -}}
{{- $timeoutKey := printf "%s_DRAIN_TIMEOUT" (upper .service) -}}
{{- /* Not "default": it takes 0 for nothing. */ -}}
{{- $delay := include "platen.text" (hasKey $env $delayKey | ternary (index $env $delayKey) "2s") -}}
{{- $timeout := include "platen.text" (hasKey $env $timeoutKey | ternary (index $env $timeoutKey) "30s") -}}
{{- max (int64 .root.Values.terminationGracePeriodSeconds) (add (int64 .root.Values.preStopSeconds) (int64 (include "platen.seconds" $delay)) (int64 (include "platen.seconds" $timeout)) 5) }}
{{- end }}
