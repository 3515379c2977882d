// kfake is a fake Kafka cluster for tests: that of franz-go, on loopback, with a control port (control.go) by which a test changes topics as others
// would, makes requests fail, and reads what was requested. It prints one line when it is ready, and runs until it is killed.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	log.SetFlags(0)
	port := flag.Int("port", 0, "port of the first broker; 0: the kernel chooses, as it does for the others")
	control := flag.Int("control", 0, "port of the control server; 0: the kernel chooses")
	autoCreate := flag.Bool("auto-create", false, "a Metadata request that allows it creates the topic that it names")
	login := flag.String("sasl", "", "USER:PASSWORD, for PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512")
	certificate := flag.String("tls-cert", "", "certificate for 127.0.0.1: the brokers speak TLS")
	key := flag.String("tls-key", "", "its key")
	brokers := flag.Int("brokers", 1, "how many")
	flag.Parse()

	wires := &network{faults: &faults{}}
	if *certificate != "" {
		pair, err := tls.LoadX509KeyPair(*certificate, *key)
		fatal(err)
		wires.tls = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	ports := make([]int, max(*brokers, 1))
	ports[0] = *port
	// One partition where a request leaves it open, as the default of Kafka is.
	options := []kfake.Opt{kfake.Ports(ports...), kfake.ListenFn(wires.listen), kfake.DefaultNumPartitions(1)}
	if *autoCreate {
		options = append(options, kfake.AllowAutoTopicCreation())
	}
	user, password, secured := strings.Cut(*login, ":")
	if secured {
		options = append(options, kfake.EnableSASL())
		for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
			options = append(options, kfake.Superuser(mechanism, user, password))
		}
	}
	cluster, err := kfake.NewCluster(options...)
	fatal(err)
	beStrict(cluster)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *control))
	fatal(err)
	fmt.Printf("bootstrap %s control %s\n", strings.Join(cluster.ListenAddrs(), ","), listener.Addr())
	fatal(http.Serve(listener, newServer(cluster, wires, user, password).routes()))
}

func fatal(err error) {
	if err != nil {
		log.Fatalf("kfake: %v", err)
	}
}
