// CoreDNS with what a test's cluster needs of it: names of Services and pods. All of its plugins would be three times the program.
package main

import (
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() { coremain.Run() }
