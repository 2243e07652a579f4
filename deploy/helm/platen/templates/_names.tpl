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
