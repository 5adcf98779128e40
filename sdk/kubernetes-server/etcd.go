package main

import (
	"net/url"

	"go.etcd.io/etcd/server/v3/embed"
)

// The sockets are in the folder of the cluster, so that only its owner reaches the data. Their names are relative, as the whole path of a
// socket may have 107 bytes at most.
const (
	etcdSocket = "unix://etcd.sock"
	peerSocket = "unix://etcd-peer.sock"
)

func startEtcd() *embed.Etcd {
	config := embed.NewConfig()
	config.Dir = "etcd"
	config.LogLevel = "error"
	config.ListenClientUrls = []url.URL{address(etcdSocket)}
	config.ListenPeerUrls = []url.URL{address(peerSocket)}
	// Nobody asks for these: there is one member. A socket must not be advertised to clients.
	config.AdvertiseClientUrls = []url.URL{address("http://127.0.0.1:1")}
	config.AdvertisePeerUrls = []url.URL{address("http://127.0.0.1:1")}
	config.InitialCluster = config.Name + "=http://127.0.0.1:1"
	// The data need not survive a crash of the machine, and those of a process survive in the system's cache.
	config.UnsafeNoFsync = true
	config.AutoCompactionMode = "periodic"
	config.AutoCompactionRetention = "10m"
	etcd, err := embed.StartEtcd(config)
	must(err)
	<-etcd.Server.ReadyNotify()
	return etcd
}

func address(text string) url.URL {
	parsed, err := url.Parse(text)
	must(err)
	return *parsed
}
