{{/* A deployment of nodes. Takes (dict "root" $ "component" "api" "role" "api" "values" .Values.api). */}}
{{- define "parley.deployment" -}}
{{- $root := .root }}
{{- $values := $root.Values }}
{{- $isEmbedded := not (include "parley.hasDatabase" $root) }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "parley.name" $root }}-{{ .component }}
  labels:
    {{- include "parley.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels:
      {{- include "parley.selector" . | nindent 6 }}
  {{- if $isEmbedded }}
  # Two nodes must not open one embedded database.
  strategy:
    type: Recreate
  {{- else }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  {{- end }}
  template:
    metadata:
      labels:
        {{- include "parley.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      annotations:
        checksum/secret: {{ include (print $root.Template.BasePath "/secret.yaml") $root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "parley.name" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      {{- with $values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: parley
          image: "{{ $values.image.repository }}:{{ $values.image.tag | default $root.Chart.AppVersion }}"
          imagePullPolicy: {{ $values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          ports:
            - { name: http, containerPort: 3000 }
            - { name: metrics, containerPort: 9464 }
            {{- if and $values.platform.ownPort (ne .component "worker") }}
            - { name: platform, containerPort: 9465 }
            {{- end }}
          env:
            {{- include "parley.env" . | nindent 12 }}
          {{- with $values.envFrom }}
          envFrom:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          # It listens when the database is migrated, or the embedded one has replayed its log.
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 5
            failureThreshold: 120
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          # Time for the services to forget this pod before it refuses connections.
          lifecycle:
            preStop:
              exec: { command: [sleep, "5"] }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          {{- if include "parley.isPersistent" $root }}
          persistentVolumeClaim:
            claimName: {{ $values.persistence.existingClaim | default (include "parley.name" $root) }}
          {{- else }}
          emptyDir: {}
          {{- end }}
        - name: tmp
          emptyDir: {}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "parley.selector" . | nindent 14 }}
      {{- range $key := list "nodeSelector" "tolerations" "affinity" }}
      {{- with index $.values $key }}
      {{ $key }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
{{- end }}

{{- define "parley.env" -}}
{{- $values := .root.Values }}
{{- $name := include "parley.name" .root }}
- { name: PARLEY_ROLE, value: {{ .role }} }
- { name: METRICS_PORT, value: "9464" }
{{- if $values.platform.ownPort }}
- { name: PARLEY_PLATFORM_PORT, value: "9465" }
{{- end }}
- { name: PARLEY_PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
- { name: PARLEY_TRUST_PROXY, value: {{ $values.trustProxy | quote }} }
{{- if include "parley.hasDatabase" .root }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ $values.database.existingSecret | default $name }}
      key: {{ ternary $values.database.key "DATABASE_URL" (ne $values.database.existingSecret "") }}
{{- end }}
{{- if or $values.secret.value $values.secret.existingSecret }}
- name: PARLEY_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ $values.secret.existingSecret | default $name }}
      key: {{ ternary $values.secret.key "PARLEY_SECRET" (ne $values.secret.existingSecret "") }}
{{- end }}
{{- if $values.redis.url }}
- name: REDIS_URL
  valueFrom:
    secretKeyRef: { name: {{ $name }}, key: REDIS_URL }
{{- end }}
{{- with $values.blobs.url }}
- { name: PARLEY_BLOBS_URL, value: {{ . | quote }} }
{{- end }}
{{- if $values.blobs.existingSecret }}
{{- range $key := list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ $key }}
  valueFrom:
    secretKeyRef: { name: {{ $values.blobs.existingSecret }}, key: {{ $key }} }
{{- end }}
{{- end }}
{{- range $key, $value := $values.settings }}
- { name: {{ $key }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
