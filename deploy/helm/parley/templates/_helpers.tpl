{{- define "parley.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
{{- end }}

{{- define "parley.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Takes (dict "root" $ "component" "api"). */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Not empty where there is a PostgreSQL of one's own. */}}
{{- define "parley.hasDatabase" -}}
{{- if or .Values.database.url .Values.database.existingSecret }}yes{{ end -}}
{{- end }}

{{/* Not empty where the data folder has to last, or is shared. */}}
{{- define "parley.isPersistent" -}}
{{- if or (not (include "parley.hasDatabase" .)) (not .Values.blobs.url) }}yes{{ end -}}
{{- end }}

{{/* What would lose or divide data is refused, not rendered. */}}
{{- define "parley.refuse" -}}
{{- $shared := or .Values.blobs.url (eq .Values.persistence.accessMode "ReadWriteMany") }}
{{- if include "parley.hasDatabase" . }}
{{- if not (or .Values.secret.value .Values.secret.existingSecret) }}
{{- fail "A database needs PARLEY_SECRET, the same on every node: set secret.existingSecret or secret.value." }}
{{- end }}
{{- if not $shared }}
{{- fail "Several nodes need one place for recordings: set blobs.url, or persistence.accessMode to ReadWriteMany." }}
{{- end }}
{{- else }}
{{- if gt (int .Values.api.replicas) 1 }}
{{- fail "Several replicas need a PostgreSQL of your own, because the embedded one belongs to one node: set database.existingSecret or database.url, or api.replicas to 1." }}
{{- end }}
{{- end }}
{{- end }}
