/** The scenarios by the names under which witnesses refer to them. */
import type { ScenarioId } from '../../../core/profiles/witnesses.ts';
import type { Scenario } from '../scenario.ts';
import * as dns from './dns.ts';
import * as http1 from './http1.ts';
import * as http2 from './http2.ts';
import * as http3 from './http3.ts';
import * as tls from './tls.ts';

export const SCENARIOS: Readonly<Record<ScenarioId, Scenario>> = {
  'held-pictures': http1.heldPictures,
  'held-pictures-by-proxy': http1.heldPicturesByProxy,
  'held-pictures-of-many-servers': http1.heldPicturesOfManyServers,
  'paced-pictures': http1.pacedPictures,
  'picture-after-idling': http1.pictureAfterIdling,
  'picture-after-pause': http1.pictureAfterPause,
  'http2-requests': http2.http2Requests,
  'initial-window': http2.initialWindow,
  'session-window': http2.sessionWindow,
  'header-table': http2.headerTable,
  'no-old-priorities': http2.noOldPriorities,
  'held-streams': http2.heldStreams,
  'upload-frames': http2.uploadFrames,
  'two-names': http2.twoNames,
  'slow-picture': http2.slowPicture,
  'session-after-idling': http2.sessionAfterIdling,
  'priority-headers': http2.priorityHeaders,
  'urgency-spread': http2.urgencySpread,
  'hello-bytes': tls.helloBytes,
  'key-shares': tls.keyShareCount,
  'certificate-compressions': tls.compressions,
  'encrypted-hello': tls.encryptedHelloBytes,
  stapling: tls.stapling,
  'delegated-credentials': tls.delegated,
  'unanswered-handshake': tls.unansweredHandshake,
  'resumed-connections': tls.resumedConnections,
  'version-6-questions': dns.version6Questions,
  'questions-over-https': dns.questionsOverHttps,
  'linked-names': dns.linkedNames,
  'hinted-names': dns.hintedNames,
  'many-names': dns.manyNames,
  'port-names': dns.portNames,
  'subnet-option': dns.subnetOption,
  'padding-option': dns.paddingOption,
  'quic-max-data': http3.quicMaxData,
  'quic-max-stream-data': http3.quicMaxStreamData,
  'quic-idle-timeout': http3.quicIdleTimeout,
  'quic-versions': http3.quicVersions,
  'quic-hello-bytes': http3.quicHelloBytes,
  'quic-compressions': http3.quicCompressions,
  'quic-encrypted-hello': http3.quicEncryptedHello,
  'quic-slices': http3.quicSlices,
  'quic-receive-buffer': http3.quicReceiveBuffer,
  'quic-connections': http3.quicConnections,
  'quic-without-answer': http3.withoutAnswer,
  'announced-service': http3.announcedService,
};
