/** Opens a store in an etcd cluster. */
import { EtcdClient, type EtcdClientOptions } from "./client.ts";
import { Follower, type FollowerOptions } from "./follower.ts";
import { KeySpace } from "./key-space.ts";
import { type EtcdConnection, type EtcdPeers, EtcdStore } from "./store.ts";

/** Where etcd is, and under which prefix the objects are. */
export interface EtcdStoreOptions extends EtcdClientOptions {
  /** What all keys in etcd begin with; servers that share it share everything. */
  readonly prefix?: string;
  /** Gets a line when the connection is lost and found. */
  readonly log?: (message: string) => void;
  /** Other processes of the same server, if there are any. */
  readonly peers?: EtcdPeers;
}

export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const { prefix = "/portcullis", log = () => {}, peers, ...connection } = options;
  const client = new EtcdClient(connection);
  const keys = new KeySpace(prefix);
  const store = await startFollowing(client, { keys, log, peers, connection: { ...connection, prefix } });
  try {
    await store.revision();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface FollowingOptions extends Omit<FollowerOptions, "client"> {
  readonly connection: EtcdConnection;
  readonly peers: EtcdPeers | undefined;
}

async function startFollowing(client: EtcdClient, options: FollowingOptions): Promise<EtcdStore> {
  const { keys, log, connection, peers } = options;
  try {
    const follower = await Follower.start({ client, keys, log });
    return new EtcdStore({ connection, client, keys, follower, peers });
  } catch (error) {
    client.close();
    throw error;
  }
}
