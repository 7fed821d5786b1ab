// Plays a conversation in the sandbox and goes to watch it.
import type { SimulationRequest } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useGo, usePlace } from '../api/place'
import { text } from '../text'
import { Button } from '../ui/button'
import { explain } from '../ui/states'
import { toast } from './toasts'

/** Quick enough to hold someone's attention, slow enough to read along. */
const SPEED = 4

export function usePlayCall() {
  const { parley, at, key } = usePlace()
  const queries = useQueryClient()
  const go = useGo()
  return useMutation({
    mutationFn: (request: SimulationRequest) => parley.sandbox.simulate({ speed: SPEED, ...request }),
    onSuccess: ({ callId }) => {
      void queries.invalidateQueries({ queryKey: [...key, 'calls'] })
      go(callId === null ? at('inbox') : at('live', callId))
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
}

export function PlayCallButton({ look = 'primary' }: { look?: 'primary' | 'plain' }) {
  const { environment } = usePlace()
  const play = usePlayCall()
  if (environment !== 'sandbox') return null
  return (
    <Button
      look={look}
      icon={<Play size={14} aria-hidden />}
      disabled={play.isPending}
      onClick={() => play.mutate({ scenario: 'full_intake' })}
    >
      {text.playCall}
    </Button>
  )
}
