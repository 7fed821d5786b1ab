// One voicemail: hear it, read it, call back. Listening marks it as heard.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { CallBack } from './missed-calls'
import { BackToInbox } from './thread'
import { useNames } from './use-names'
import { Waveform } from './waveform'

export function VoicemailView({ id }: { id: string }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const voicemail = useQuery({
    queryKey: [...key, 'voicemails', id],
    queryFn: ({ signal }) => parley.voicemails.get(id, { signal }),
    // The address of the audio is good for five minutes.
    staleTime: 240_000,
  })
  const listen = useMutation({
    mutationFn: () => parley.voicemails.update(id, { listenedAt: new Date().toISOString() }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'voicemails'] }),
  })
  const names = useNames([voicemail.data?.personId ?? null])
  if (voicemail.isError) return <Failure error={voicemail.error} onRetry={() => void voicemail.refetch()} />
  if (voicemail.data === undefined) return <Waiting />
  const { personId, callerNumber, createdAt, transcript, recordingUrl, recordingStatus, listenedAt } = voicemail.data
  return (
    <article className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-14 flex-wrap items-center gap-3 border-b border-line px-4 py-2 sm:px-6">
        <BackToInbox part="voicemails" />
        <h2 className="truncate text-base font-semibold">{names.get(personId ?? '') ?? phoneText(callerNumber)}</h2>
        <Moment at={createdAt} className="text-muted" />
        <span className="ms-auto flex gap-1">
          <CallBack number={callerNumber} />
          <RecordTools slug="voicemails" id={id} />
        </span>
      </header>
      <div className="grid max-w-2xl gap-5 p-4 sm:p-6">
        {recordingUrl === null ? (
          <p className="text-muted">{text.inbox.recording[recordingStatus] ?? recordingStatus}</p>
        ) : (
          <Waveform url={recordingUrl} onPlay={() => listenedAt === null && !listen.isPending && listen.mutate()} />
        )}
        <p className="text-base text-pretty">{transcript ?? text.inbox.noTranscript}</p>
      </div>
    </article>
  )
}
